// A model that says what a script tells it to, for real agents without a network or an account.
//
//   node model.mjs LOGFILE       listens on loopback; prints {"port":N} when it does
//
// Claude Code gets the base URL http://127.0.0.1:N/agent/NAME, Codex the same with /v1 behind it;
// NAME is any name. Each agent has its own list of steps (script.mjs says which there are), and one
// request of its conversation takes one step. What an agent asks on the side, such as a title for
// the session, takes none.
//
// The log has one line a request: `n, ms, agent, api, main, model, tools` (names), `news` (what came
// since the model spoke last), `history` (the whole conversation; both are lists of {who, text}),
// `step` (its place in the list, null when none was taken), `answer`.
//
// Control, all JSON:
//   GET  /control/state                     {agents: {NAME: {…}}}, see Agent.state
//   PUT  /control/agent/NAME   [step…]      begins the agent's script anew
//   POST /control/agent/NAME   [step…]      adds to it
//   POST /control/agent/NAME/release        lets go of the request that hangs, or of the next one
//   GET  /control/agent/NAME/wait?taken=N   answers when N steps were taken
//   GET  /control/agent/NAME/wait?saw=TEXT  answers when TEXT was in the news of some request
//        &seconds=S (60)                    408 with the state when that does not happen
//   POST /control/reset                     forgets all agents

import fs from 'node:fs';
import http from 'node:http';
import { anthropic } from './anthropic.mjs';
import { responses } from './responses.mjs';
import { Agent } from './script.mjs';
import { cutOff, readJson, sendJson, streamEvents } from './wire.mjs';

const apis = [anthropic, responses];
const log = fs.openSync(process.argv[2], 'a');
const began = Date.now();
let agents = new Map();
let requests = 0;

function agentNamed(name) {
  if (!agents.has(name)) agents.set(name, new Agent());
  return agents.get(name);
}

function record(line) {
  fs.writeSync(log, `${JSON.stringify({ n: ++requests, ms: Date.now() - began, ...line })}\n`);
}

// One request of an agent: told to its script, written down, answered.
async function answer(api, name, request, response) {
  const body = await readJson(request);
  const main = api.isMain(body);
  const history = api.history(body);
  const news = history.slice(history.findLastIndex(({ who }) => who === 'model') + 1);
  const agent = agentNamed(name);
  const turn = main ? agent.take(news, history) : { step: agent.side(), place: null };
  const { step } = turn;
  record({
    agent: name, api: api.name, main, model: body.model, tools: api.tools(body), news, history,
    step: turn.place, answer: step,
  });
  agent.wake();
  if (step.delay_ms) await new Promise((done) => setTimeout(done, step.delay_ms));
  if (step.hang) await agent.released(request);
  if (step.error) {
    const failure = step.body ?? api.failure(step.error, step.message);
    return sendJson(response, step.error, failure, step.headers);
  }
  const reply = api.reply(body, step);
  if (!body.stream) return sendJson(response, 200, reply.whole);
  return step.drop ? cutOff(response, reply.events) : streamEvents(response, reply.events);
}

async function control(method, [subject, name, verb], query, request, response) {
  const state = () => Object.fromEntries([...agents].map(([key, agent]) => [key, agent.state()]));
  const ok = () => sendJson(response, 200, { agents: state() });
  if (subject === 'state') return ok();
  if (subject === 'reset') {
    for (const agent of agents.values()) agent.release();
    agents = new Map();
    return ok();
  }
  const agent = agentNamed(name);
  if (method === 'PUT') agent.begin(await readJson(request));
  else if (verb === 'release') agent.release();
  else if (verb === 'wait') {
    const wanted = { taken: query.get('taken'), saw: query.get('saw') };
    const came = await agent.until(wanted, Number(query.get('seconds') ?? 60) * 1000);
    if (!came) return sendJson(response, 408, { waited: wanted, agents: state() });
  } else if (method === 'POST') agent.add(await readJson(request));
  return ok();
}

async function route(request, response) {
  const url = new URL(request.url, 'http://model');
  const [kind, name, ...rest] = url.pathname.split('/').filter(Boolean);
  if (kind === 'control') {
    return control(request.method, [name, ...rest], url.searchParams, request, response);
  }
  const path = rest.join('/');
  const api = apis.find(({ paths }) => paths.includes(path));
  if (kind === 'agent' && request.method === 'POST' && api) {
    return answer(api, name, request, response);
  }
  if (kind === 'agent' && request.method === 'GET' && path.endsWith('models')) {
    return sendJson(response, 200, { object: 'list', data: [], models: [] });
  }
  if (kind === 'agent' && request.method === 'HEAD') return sendJson(response, 200, {});
  if (kind === 'agent' && path.endsWith('count_tokens')) {
    await readJson(request);
    return sendJson(response, 200, { input_tokens: 100 });
  }
  record({ unknown: `${request.method} ${request.url}` });
  return sendJson(response, 404, { error: { type: 'not_found_error', message: 'no such path' } });
}

const server = http.createServer((request, response) => {
  route(request, response).catch((error) => {
    record({ failed: error.stack });
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { error: { type: 'api_error', message: error.message } });
  });
});
server.requestTimeout = 0; // a step may hang for as long as a test wants
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
