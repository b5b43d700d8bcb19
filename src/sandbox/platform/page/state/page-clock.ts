import type { ReactiveControllerHost } from "lit";

let aheadMs = 0;
const listeners = new Set<() => void>();

/** The sandbox's time on the page; it can be ahead of the browser's. */
export function pageNow(): number {
  return Date.now() + aheadMs;
}

export function setPageClock(now: number): void {
  aheadMs = now - Date.now();
  for (const listener of listeners) listener();
}

/** Draws an element again whenever the clock is set, and every `everyMs`. */
export function followClock(element: ReactiveControllerHost, everyMs: number): void {
  const draw = () => element.requestUpdate();
  let timer: ReturnType<typeof setInterval> | undefined;
  element.addController({
    hostConnected() {
      timer = setInterval(draw, everyMs);
      listeners.add(draw);
    },
    hostDisconnected() {
      clearInterval(timer);
      listeners.delete(draw);
    },
  });
}
