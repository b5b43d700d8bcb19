import { randomInt } from "node:crypto";
import { InputError } from "../../errors.ts";
import { linkError } from "./failure.ts";
import { changeDraft, type OpenedLinkToken } from "./steps.ts";
import type { LinksDeps } from "./types.ts";

/** The last of these wrong codes ends a link. There are 5,625 codes, so guessing succeeds for one link in 1,875. */
const maxWrongCodes = 3;

/** No two of these look alike, in any usual typeface. */
const letters = "ACEFHJKMNPRTWXY";
const digits = "34679";

/** Two pairs like `K7-R4`. */
export function makeLinkCode(): string {
  const pick = (from: string) => from[randomInt(from.length)];
  return `${pick(letters)}${pick(digits)}-${pick(letters)}${pick(digits)}`;
}

/**
 * Compares the code that somebody typed with that of the consent. A wrong one counts, whatever else happens to the link.
 * @throws InputError `link_code_wrong`; AccessError `link_codes_spent`, and then the link has to be ended.
 */
export async function checkLinkCode(
  deps: LinksDeps,
  { content, draft }: OpenedLinkToken<"pending">,
  typed: string | undefined,
): Promise<void> {
  if (content.code === undefined) return;
  const isRight = linkCodeLetters(typed ?? "") === linkCodeLetters(content.code);
  const after = await changeDraft(deps, draft, (current) => {
    const { wrongCodes = 0 } = current;
    return isRight && wrongCodes < maxWrongCodes
      ? current
      : { ...current, wrongCodes: wrongCodes + 1 };
  });
  const left = maxWrongCodes - (after?.wrongCodes ?? 0);
  if (after === undefined) throw linkError("link_over");
  if (left <= 0) throw linkError("link_codes_spent");
  if (!isRight) throw wrongCode(left);
}

/** People leave out the dash, or type small letters. */
function linkCodeLetters(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/gu, "");
}

export function wrongCode(left: number): InputError {
  return new InputError("a wrong code for a link", { code: "link_code_wrong", facts: { left } });
}
