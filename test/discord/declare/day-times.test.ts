import { describe, expect, it } from "vitest";
import { basicOption } from "../../../src/discord/declare/options.ts";

const read = (text: string) => basicOption.dayTimes({ required: true }).parse(text, "quiet");

describe("option.dayTimes", () => {
  it.each([
    ["22:00-07:00", "22:00", "07:00"],
    ["22:30 – 7:15", "22:30", "07:15"],
    ["22-7", "22:00", "07:00"],
    ["10pm-7am", "22:00", "07:00"],
    ["10:30 p.m. to 7 a.m.", "22:30", "07:00"],
    ["12am-12pm", "00:00", "12:00"],
    ["from 9 until 17", "09:00", "17:00"],
    ["22 Uhr bis 7 Uhr", "22:00", "07:00"],
    ["von 22 Uhr 30 bis 7.15 Uhr", "22:30", "07:15"],
    ["de 22 h a 7 h", "22:00", "07:00"],
    ["22h30 à 7h", "22:30", "07:00"],
    ["22時〜7時30分", "22:00", "07:30"],
    ["午後10時から午前7時まで", "22:00", "07:00"],
    ["２２：００－０７：００", "22:00", "07:00"],
    ["18:00-24:00", "18:00", "00:00"],
    ["13:00-15:00", "13:00", "15:00"],
  ])("reads “%s”", (text, from, to) => {
    expect(read(text)).toEqual({ from, to });
  });

  it.each([
    "",
    "22:00",
    "22:00-",
    "22:00-22:00",
    "0-24",
    "10-11pm",
    "25:00-07:00",
    "22:60-07:00",
    "24:30-07:00",
    "13pm-7am",
    "0am-7am",
    "1-2-3",
    "at night",
    "-5-7",
    "2200-0700",
  ])("refuses “%s”", (text) => {
    const facts = { option: "quiet", given: text };

    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: "time_range_unreadable", facts }),
    );
  });
});
