// The Messages API as Claude Code speaks it: POST /v1/messages, answered by server-sent events.

import { newId } from './wire.mjs';

const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map((block) => block.text ?? '').join('\n'));

// Claude Code puts notes of its own beside what the user wrote.
const isNote = (text) => text.startsWith('<system-reminder>');

function entriesOf(message) {
  const blocks = typeof message.content === 'string'
    ? [{ type: 'text', text: message.content }] : message.content;
  return blocks.flatMap((block) => {
    if (block.type === 'tool_use') {
      return [{ who: 'model', text: `${block.name} ${JSON.stringify(block.input)}` }];
    }
    if (block.type === 'tool_result') {
      return [{ who: block.is_error ? 'tool error' : 'tool', text: textOf(block.content) }];
    }
    if (block.type !== 'text') return [];
    if (message.role === 'assistant') return [{ who: 'model', text: block.text }];
    const said = message.role === 'user' && !isNote(block.text);
    return [{ who: said ? 'user' : 'note', text: block.text }];
  });
}

function callOf(step) {
  if (step.bash !== undefined) {
    return { name: 'Bash', input: { command: step.bash, description: 'As the script says' } };
  }
  if (step.mcp) {
    const { server, tool, arguments: input = {} } = step.mcp;
    return { name: `mcp__${server}__${tool}`, input };
  }
  return step.tool && { name: step.tool.name, input: step.tool.arguments ?? {} };
}

function contentOf(step) {
  const call = callOf(step);
  const said = step.say ?? (call ? '' : 'nothing to say');
  return [
    ...(said ? [{ type: 'text', text: said }] : []),
    ...(call ? [{ type: 'tool_use', id: newId('toolu'), ...call }] : []),
  ];
}

// A block comes empty, is filled by one delta and closed.
function eventsOf(block, index) {
  const [empty, delta] = block.type === 'text'
    ? [{ type: 'text', text: '' }, { type: 'text_delta', text: block.text }]
    : [{ ...block, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  return [
    { type: 'content_block_start', index, content_block: empty },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}

const errors = { 429: 'rate_limit_error', 529: 'overloaded_error' };

export const anthropic = {
  name: 'messages',
  paths: ['v1/messages'],

  // What it asks on the side comes without tools, or with one for that purpose alone.
  isMain: (body) => (body.tools ?? []).length > 1,

  tools: (body) => (body.tools ?? []).map(({ name }) => name),

  history: (body) => body.messages.flatMap(entriesOf),

  failure: (status, message = 'as the script says') => ({
    type: 'error',
    error: { type: errors[status] ?? 'api_error', message },
  }),

  reply(body, step) {
    const content = contentOf(step);
    const stop = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = {
      id: newId('msg'), type: 'message', role: 'assistant', model: body.model, content: [],
      stop_reason: null, stop_sequence: null, usage,
    };
    return {
      whole: { ...message, content, stop_reason: stop },
      events: [
        { type: 'message_start', message },
        ...content.flatMap(eventsOf),
        { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
    };
  },
};
