import { showHelp, suggestCommands } from "./help.ts";
import { botAdded, showStart, startActions } from "./start.ts";

/** `/start` shows what is connected and what to do next; `/help` finds the command for what somebody wants to do. */
export const gettingStarted = {
  start: showStart,
  help: showHelp,
  suggestCommands,
  actions: startActions,
  events: [botAdded],
} as const;
