/** Puts characters into the order in which they are seen. https://unicode.org/reports/tr9/ */

const override = /[\u202d\u202e]/u;
const controls = /[\u202a-\u202e\u2066-\u2069\n\r\u2029]/u;
/** Deeper ones are ignored. Unicode's own limit is 125. */
const mostDeep = 16;

interface Run {
  readonly pieces: string[];
  /** Letters are written from right to left, whatever they are. */
  readonly isTurned: boolean;
  readonly isIsolate: boolean;
}

/** Turns what is between U+202E and its end. Other direction marks change nothing about Latin letters. */
export function inSeenOrder(text: string): string {
  if (!override.test(text)) return text;
  const stack: Run[] = [{ pieces: [], isTurned: false, isIsolate: false }];
  let ignored = 0;
  for (const one of text) {
    if (!controls.test(one)) stack.at(-1)?.pieces.push(one);
    else if (one === "\u202c") end(false);
    else if (one === "\u2069") end(true);
    else if (one === "\n" || one === "\r" || one === "\u2029") endLine(one);
    else if (stack.length > mostDeep) ignored += 1;
    else stack.push({ pieces: [], isTurned: one === "\u202e", isIsolate: one >= "\u2066" });
  }
  endLine("");
  return stack[0]?.pieces.join("") ?? "";

  function end(isIsolate: boolean): void {
    if (ignored > 0) {
      ignored -= 1;
      return;
    }
    if (isIsolate && !stack.some((run) => run.isIsolate)) return;
    // The end of an isolate ends everything that began in it; another end does not reach out of one.
    if (!isIsolate && stack.at(-1)?.isIsolate !== false) return;
    while (stack.length > 1) if (close() || !isIsolate) return;
  }

  /** Puts the innermost run into the one around it. Returns whether it was an isolate. */
  function close(): boolean {
    const run = stack.pop();
    if (run === undefined) return false;
    stack.at(-1)?.pieces.push((run.isTurned ? run.pieces.reverse() : run.pieces).join(""));
    return run.isIsolate;
  }

  function endLine(sign: string): void {
    ignored = 0;
    while (stack.length > 1) close();
    stack[0]?.pieces.push(sign);
  }
}
