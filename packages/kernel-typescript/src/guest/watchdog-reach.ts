import { Session } from "node:inspector";

/** A message to the kernel's inspector, on its way. */
export interface Sent {
  /** It has got to the kernel's thread: nothing else comes in between once that looks at its messages. */
  arrived: Promise<void>;
  /** The kernel's inspector has answered it. */
  answered: Promise<void>;
}

export type Send = (method: string, params: object) => Sent;

/** Reaches a kernel that is its process's main thread, or else, by that thread's inspector, the kernel that is one of its threads. */
export async function reachKernel(thread: number | undefined): Promise<Send> {
  const session = new Session();
  session.connectToMainThread();
  // A session does not hold its thread: one that waits for nothing but an answer would end, and no interrupt land any more.
  setInterval(() => {}, 2 ** 30);
  return thread === undefined ? direct(session) : throughMain(session, thread);
}

function direct(session: Session): Send {
  return (method, params) => ({
    answered: new Promise((resolve) => session.post(method, params, () => resolve())),
    arrived: Promise.resolve(),
  });
}

/** The main thread's inspector passes messages on as soon as it can, and answers once it has. */
function throughMain(session: Session, kernel: number): Promise<Send> {
  const waiting = new Map<number, () => void>();
  let lastId = 0;
  session.on("NodeWorker.receivedMessageFromWorker", ({ params: { message } }) => {
    const { id } = JSON.parse(message) as { id?: number };
    if (id === undefined) return;
    waiting.get(id)?.();
    waiting.delete(id);
  });
  return new Promise((resolve) => {
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
      if (!workerInfo.title.startsWith(`[worker ${kernel}]`)) {
        session.post("NodeWorker.detach", { sessionId }, () => {});
        return;
      }
      resolve((method, params) => {
        const id = ++lastId;
        const message = JSON.stringify({ id, method, params });
        return {
          answered: new Promise((settle) => waiting.set(id, settle)),
          arrived: new Promise((settle) => {
            session.post("NodeWorker.sendMessageToWorker", { sessionId, message }, () => settle());
          }),
        };
      });
    });
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false }, () => {});
  });
}
