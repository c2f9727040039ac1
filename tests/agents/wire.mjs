// HTTP, as far as both model APIs need it.

import { randomBytes } from 'node:crypto';

export const newId = (prefix) => `${prefix}_${randomBytes(12).toString('hex')}`;

export async function readJson(request) {
  if (request.headers['content-encoding']) {
    throw new Error(`a body in ${request.headers['content-encoding']} is not understood`);
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

export function sendJson(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

// Events are {type, …}; both APIs repeat the type in the event's name.
function write(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
}

export function streamEvents(response, events) {
  write(response, events);
  response.end();
}

// The first half of an answer, then nobody is there any more.
export function cutOff(response, events) {
  write(response, events.slice(0, Math.ceil(events.length / 2)));
  response.socket.end(() => response.socket.destroy());
}
