import { action, type Ctx, notice, type Reply } from "../../discord/index.ts";
import { localTime } from "./status.ts";

export const clearRegion = action<null>({
  name: "connect.clear-region",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async (ctx) => {
    await ctx.changeSettings({ region: undefined, timeZone: undefined });
    return notice({
      tone: "good",
      title: ctx.words.say("connect.region.cleared"),
      text: ctx.words.say("connect.region.cleared_text"),
    });
  },
});

interface RegionOptions {
  readonly region?: string | undefined;
  readonly "time-zone"?: string | undefined;
}

/** Sets the server's country and time zone; shows them where nothing is given. */
export async function chooseRegion(ctx: Ctx, options: RegionOptions): Promise<Reply> {
  const { region, "time-zone": timeZone } = options;
  const change = { ...(region && { region }), ...(timeZone && { timeZone }) };
  const isChange = Object.keys(change).length > 0;
  if (isChange) await ctx.changeSettings(change);
  const { now, words } = ctx;
  return place({ now, words, settings: { ...ctx.settings, ...change } }, isChange);
}

type Place = Pick<Ctx, "now" | "words" | "settings">;

function place(chosen: Place, isChange: boolean): Reply {
  const { settings, words } = chosen;
  const isChosen = settings.region !== undefined || settings.timeZone !== undefined;
  return notice({
    tone: isChange ? "good" : "info",
    title: words.say(isChange ? "connect.region.saved" : "connect.region.title"),
    text: words.md("connect.region.text", {
      country:
        settings.region === undefined
          ? words.say("connect.region.usual")
          : words.country(settings.region),
      zone: (settings.timeZone ?? "UTC").replaceAll("_", " "),
      time: localTime(chosen),
    }),
    ...(isChosen
      ? { buttons: [{ label: words.say("connect.region.clear"), press: clearRegion.press(null) }] }
      : {}),
  });
}
