import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import {
  picturesInOptions,
  type RemovalOptions,
} from "../../../src/features/background-removal/options.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;
const none = {} as RemovalOptions;
const attachment = { id: "1", filename: "a.png", size: 9, url: "https://cdn.discordapp.com/a.png" };

describe("picturesInOptions", () => {
  it("takes attachments and an address, in their order", () => {
    const given = picturesInOptions({
      ...none,
      image: attachment,
      image_3: attachment,
      link: "https://x.yz/p",
    });

    expect(given).toEqual([{ attachment }, { attachment }, { link: "https://x.yz/p" }]);
  });

  it.each([
    "x.yz/a.png",
    "file:///etc/passwd",
    "https://me:secret@x.yz/a.png",
    "http://localhost/a",
  ])("refuses %s as an address", (link) => {
    expect(() => picturesInOptions({ ...none, link })).toThrow(refused("invalid_image_url"));
  });
});
