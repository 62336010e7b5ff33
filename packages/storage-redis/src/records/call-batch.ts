/** What may travel in one command. */
export interface BatchLimits<Call> {
  maxCalls: number;
  /** A call that is larger travels alone. */
  maxChars: number;
  charsOf(call: Call): number;
  /** Calls that may be without their answer at once. */
  maxWaiting: number;
  /** What those beyond that are refused with. */
  tooMany(): unknown;
}

/**
 * Gathers the calls of one turn of the event loop, which costs none of them any time, and sends them as one command: what a command costs
 * client and server by itself is several times what a small record costs. A failure of the command is that of all its calls.
 *
 * @param send gives an answer for each call, in order.
 */
export function createCallBatch<Call, Answer>(
  send: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { maxCalls, maxChars, charsOf, maxWaiting, tooMany }: BatchLimits<Call>,
): (call: Call) => Promise<Answer> {
  interface Waiting {
    call: Call;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  let gathered: Waiting[] = [];
  let chars = 0;
  let waiting = 0;

  const flush = async (): Promise<void> => {
    const batch = gathered;
    gathered = [];
    chars = 0;
    if (batch.length === 0) return;
    try {
      const answers = await send(batch.map(({ call }) => call));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      waiting -= batch.length;
    }
  };

  return (call) => {
    if (waiting >= maxWaiting) return Promise.reject(tooMany());
    const size = charsOf(call);
    if (gathered.length >= maxCalls || (gathered.length > 0 && chars + size > maxChars)) void flush();
    // After the promises that are settled in this turn: whoever goes on by them comes along.
    if (gathered.length === 0) process.nextTick(() => void flush());
    waiting++;
    chars += size;
    return new Promise((resolve, reject) => {
      gathered.push({ call, resolve, reject });
    });
  };
}
