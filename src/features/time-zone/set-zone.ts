import { form, notice, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { timeZoneNamed, timeZoneTitle } from "../../language/index.ts";
import { action } from "../declarations/index.ts";

const setZone = action<null>({
  name: "connect.set-zone",
  answer: "private",
  rank: "owner",
  run: async (ctx, _, { fields: { zone = "" } }) => {
    const timeZone = timeZoneNamed(zone);
    if (timeZone === undefined) {
      throw new InputError("no such time zone", {
        code: "time_zone_unknown",
        facts: { given: typedText(zone) },
      });
    }
    await ctx.changeSettings((stored) => ({ ...stored, timeZone }));
    const { words } = ctx;
    const clock = new Intl.DateTimeFormat(words.tag, { timeStyle: "short", timeZone });
    return notice({
      tone: "good",
      title: words.say("connect.zone.saved"),
      text: words.md("connect.zone.saved_text", {
        zone: timeZoneTitle(timeZone),
        time: clock.format(ctx.now()),
      }),
    });
  },
});

/** Asks for the server's time zone, from below a time that was read without one. */
export const openZoneForm = action<null>({
  name: "connect.zone-form",
  answer: "form",
  rank: "owner",
  form: ({ words }) =>
    form({
      title: words.say("connect.zone.form"),
      isReturned: true,
      fields: [
        {
          name: "zone",
          label: words.say("connect.zone.field"),
          description: words.say("connect.zone.field_about"),
          placeholder: words.say("connect.zone.field_example"),
          maxLength: 100,
        },
      ],
      submit: setZone.press(null),
    }),
});

export const timeZoneActions = [openZoneForm, setZone] as const;
