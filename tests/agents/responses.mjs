// The Responses API as Codex speaks it: POST /v1/responses, answered by server-sent events. Written
// for models that get plain tools (gpt-5.5); newer ones of Codex's catalogue run JavaScript instead.

import { newId } from './wire.mjs';

const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map((part) => part.text ?? '').join('\n'));

// What Codex tells the model of itself comes as the user's words, in tags.
const isNote = (text) => /^<[a-z_]+>|^# AGENTS\.md/.test(text);

function entriesOf(item) {
  switch (item.type) {
    case 'function_call': return [{ who: 'model', text: `${item.name} ${item.arguments}` }];
    case 'custom_tool_call': return [{ who: 'model', text: `${item.name} ${item.input}` }];
    case 'function_call_output':
    case 'custom_tool_call_output': return [{ who: 'tool', text: textOf(item.output) }];
    case 'message': {
      const text = textOf(item.content);
      if (item.role === 'assistant') return [{ who: 'model', text }];
      return [{ who: item.role === 'user' && !isNote(text) ? 'user' : 'note', text }];
    }
    default: return [];
  }
}

const functionCall = (name, input, namespace) => ({
  type: 'function_call', id: newId('fc'), call_id: newId('call'), name,
  ...(namespace ? { namespace } : {}), arguments: JSON.stringify(input),
});

function callOf(step) {
  if (step.bash !== undefined) return functionCall('exec_command', { cmd: step.bash });
  if (step.mcp) {
    const { server, tool, arguments: input = {} } = step.mcp;
    return functionCall(tool, input, `mcp__${server}`);
  }
  if (!step.tool) return null;
  const { name, arguments: input = {} } = step.tool;
  if (typeof input !== 'string') return functionCall(name, input);
  return { type: 'custom_tool_call', id: newId('ctc'), call_id: newId('call'), name, input };
}

function outputOf(step) {
  const call = callOf(step);
  const said = step.say ?? (call ? '' : 'nothing to say');
  const message = {
    type: 'message', id: newId('msg'), role: 'assistant', status: 'completed',
    content: [{ type: 'output_text', text: said, annotations: [] }],
  };
  return [...(said ? [message] : []), ...(call ? [call] : [])];
}

export const responses = {
  name: 'responses',
  paths: ['v1/responses'],

  // What it asks on the side comes without a shell.
  isMain: (body) => (body.tools ?? []).some(({ name }) => name === 'exec_command'),

  // Some come in groups, which have a name of their own.
  tools: (body) => (body.tools ?? []).flatMap((tool) => (tool.type === 'namespace'
    ? tool.tools.map(({ name }) => `${tool.name}/${name}`) : [tool.name ?? tool.type])),

  history: (body) => body.input.flatMap(entriesOf),

  failure: (status, message = 'as the script says') => ({
    error: { type: status === 429 ? 'rate_limit_exceeded' : 'server_error', code: null, message },
  }),

  reply(body, step) {
    const output = outputOf(step);
    const begun = {
      id: newId('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000),
      model: body.model, status: 'in_progress', output: [],
    };
    const whole = {
      ...begun, status: 'completed', output,
      usage: {
        input_tokens: 10, input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 20,
      },
    };
    return {
      whole,
      events: [
        { type: 'response.created', response: begun },
        ...output.flatMap((item, output_index) => [
          { type: 'response.output_item.added', output_index, item },
          { type: 'response.output_item.done', output_index, item },
        ]),
        { type: 'response.completed', response: whole },
      ],
    };
  },
};
