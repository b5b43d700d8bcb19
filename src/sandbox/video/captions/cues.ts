/** One line of captions and when it shows, in milliseconds from the start of the video. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `1:02:03.4` and the like, hours and fractions optional, with a comma or a point. */
const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/;

export function readClock(text: string): number | undefined {
  const found = clock.exec(text.trim());
  if (found === null) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = found;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, "0"));
}

/** `01:02:03` and the milliseconds after the given sign. */
export function writeClock(time: number, sign: "." | ","): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = time / 1000;
  const clockTime = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${clockTime}${sign}${String(time % 1000).padStart(3, "0")}`;
}
