import { ruleActsActions as actActions, ruleEvents } from "./acts.ts";
import { addRuleActions as addActions, addRule, askForRuleList } from "./add.ts";
import { ruleEffects, ruleKinds } from "./draft.ts";
import { tryRules } from "./dry-run.ts";
import { maxRuleNameChars } from "./form.ts";
import { ruleListActions as listActions, listRules } from "./list.ts";
import { askRemoveRule, manageRuleActions as manageActions, switchRule } from "./manage.ts";
import {
  changeExemptions,
  configureRuleLog,
  ruleSettingsActions as settingsActions,
  suggestExemptAuthors,
} from "./settings.ts";

/** Rules that judge comments: how people add, try, list and change them, and what the rules report. */
export const commentRules = {
  kinds: ruleKinds,
  effects: ruleEffects,
  maxNameChars: maxRuleNameChars,
  askForList: askForRuleList,
  add: addRule,
  list: listRules,
  tryRules,
  switchRule,
  askRemove: askRemoveRule,
  exempt: changeExemptions,
  exemptAuthors: suggestExemptAuthors,
  log: configureRuleLog,
  actions: [...addActions, ...listActions, ...manageActions, ...settingsActions, ...actActions],
  events: ruleEvents,
} as const;
