// The script of one agent: a list of steps, taken one by one by the requests of its conversation.
//
//   {"bash": "pairflow turn"}                       the agent's shell tool
//   {"mcp": {"server", "tool", "arguments"}}        a tool of an MCP server
//   {"tool": {"name", "arguments"}}                 any tool; a text as arguments: a free-form tool
//   {"say": "Done."}                                words; alone they end the agent's turn
//   {"error": 529, "times": 3}                      an HTTP error, with message, body, headers
//   {"drop": true}                                  the connection breaks within the answer
// and with any of them:
//   "when": TEXT      only for a request whose news have TEXT: others are told to wait
//   "expect": TEXT    the conversation must have TEXT; if not, that is kept in state.unexpected
//   "delay_ms": N     a pause first
//   "hang": true      no answer until release, then the rest of the step
//
// A step is given to one request, to `times` requests if it says so. "when" makes a script
// independent of how often an agent is told to wait, and of whether an agent whose turn is over
// still reports the result of its last command before its process ends.

const idle = { say: 'idle' };
const known = ['bash', 'mcp', 'tool', 'say', 'error', 'times', 'message', 'body', 'headers', 'drop',
  'when', 'expect', 'delay_ms', 'hang'];

function checked(steps) {
  for (const step of steps) {
    const wrong = Object.keys(step).find((key) => !known.includes(key));
    if (wrong) throw new Error(`a step knows no "${wrong}": ${JSON.stringify(step)}`);
  }
  return steps;
}

const has = (entries, text) => entries.some((entry) => entry.text.includes(text));

export class Agent {
  #steps = [];
  #place = 0; // of the step that comes next
  #given = 0; // how often that one was given already
  #counts = { requests: 0, side: 0, held: 0, unscripted: 0 };
  #unexpected = [];
  #news = [];
  #waiting = new Set(); // callbacks
  #hanging = new Set(); // callbacks
  #releases = 0;        // that came before the request they are for

  begin(steps) {
    this.#steps = checked(steps);
    this.#place = this.#given = 0;
    this.#counts = { requests: 0, side: 0, held: 0, unscripted: 0 };
    this.#unexpected = [];
    this.#news = [];
  }

  add(steps) {
    this.#steps.push(...checked(steps));
  }

  // taken: steps that are over or under way; held: requests told to wait by a "when"; unscripted:
  // requests that came when no step was left.
  state() {
    return {
      steps: this.#steps.length, taken: this.#place, ...this.#counts,
      hanging: this.#hanging.size, unexpected: this.#unexpected,
    };
  }

  side() {
    this.#counts.side += 1;
    return { say: '{"title": "A session"}' };
  }

  // The step for a request, and its place in the list; null when it is none of the list's.
  take(news, history) {
    this.#counts.requests += 1;
    this.#news.push(news);
    const step = this.#steps[this.#place];
    if (!step) {
      this.#counts.unscripted += 1;
      return { step: idle, place: null };
    }
    if (step.when !== undefined && this.#given === 0 && !has(news, step.when)) {
      this.#counts.held += 1;
      return { step: idle, place: null };
    }
    if (step.expect !== undefined && !has(history, step.expect)) {
      this.#unexpected.push({ step: this.#place, expect: step.expect, news });
    }
    const place = this.#place;
    this.#given += 1;
    if (this.#given >= (step.times ?? 1)) {
      this.#place += 1;
      this.#given = 0;
    }
    return { step, place };
  }

  wake() {
    for (const look of [...this.#waiting]) look();
  }

  // True as soon as it is so, false after `ms`.
  until({ taken, saw }, ms) {
    const isSo = () => (saw === null || this.#news.some((news) => has(news, saw)))
      && (taken === null || this.#place >= Number(taken));
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), ms);
      const look = () => isSo() && end(true);
      const end = (result) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(result);
      };
      this.#waiting.add(look);
      look();
    });
  }

  // Until release, or until whoever asked is gone.
  released(request) {
    if (this.#releases > 0) {
      this.#releases -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        this.#hanging.delete(end);
        resolve();
      };
      this.#hanging.add(end);
      request.socket.once('close', end);
    });
  }

  release() {
    if (this.#hanging.size === 0) this.#releases += 1;
    for (const end of [...this.#hanging]) end();
  }
}
