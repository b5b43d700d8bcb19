import { describe, expect, it } from "vitest";
import { basicOption } from "../../../src/discord/declare/options.ts";

const read = (text: string) => basicOption.dayTimes({ required: true }).parse(text, "quiet");

describe("option.dayTimes", () => {
  it.each([
    ["22:00-07:00", "22:00", "07:00"],
    ["22:30 – 7:15", "22:30", "07:15"],
    ["22-7", "22:00", "07:00"],
    ["8-10", "08:00", "10:00"],
    ["10:00-7:00", "10:00", "07:00"],
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
    ["midnight-8am", "00:00", "08:00"],
    ["midnight-8", "00:00", "08:00"],
    ["noon-midnight", "12:00", "00:00"],
    ["8pm to midnight", "20:00", "00:00"],
    ["10pm – 7", "22:00", "07:00"],
    ["10:30pm-7", "22:30", "07:00"],
    ["22-7am", "22:00", "07:00"],
    ["half past 10 pm to 7 am", "22:30", "07:00"],
    ["11 at night to 7 in the morning", "23:00", "07:00"],
    ["von 22 bis 7 Uhr", "22:00", "07:00"],
    ["von 10 Uhr abends bis 7 Uhr morgens", "22:00", "07:00"],
    ["halb elf abends bis halb acht", "22:30", "07:30"],
    ["Mitternacht bis 8 Uhr", "00:00", "08:00"],
    ["de 10 de la noche a 7", "22:00", "07:00"],
    ["de las 10 de la noche a las 7 de la mañana", "22:00", "07:00"],
    ["entre las 22 y las 7", "22:00", "07:00"],
    ["de medianoche a las 8 y media", "00:00", "08:30"],
    ["22h à 7h", "22:00", "07:00"],
    ["de 10h du soir à 7h du matin", "22:00", "07:00"],
    ["de minuit à 8h et demie", "00:00", "08:30"],
    ["夜10時から朝7時", "22:00", "07:00"],
    ["22時半から翌朝7時まで", "22:30", "07:00"],
    ["22時から25時", "22:00", "01:00"],
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
    "10 to 7",
    "9 to 5",
    "11-8 Uhr",
    "10pm-11",
    "10pm-12",
    "9am-5",
    "noon-8",
    "8-midnight",
    "10pm 7am",
    "22:00-7:00 UTC",
    "22:00-07:00 every day",
    "2pm-3pm-4pm",
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
