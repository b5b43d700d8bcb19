import { ruleActsActions as actActions, ruleEvents } from "./acts.ts";
import {
  addRuleActions as addActions,
  addRule,
  addRuleOptions,
  askForRuleList,
  proposeRule,
} from "./add.ts";
import { ruleDefaults } from "./draft.ts";
import { tryRules, tryRulesOptions } from "./dry-run.ts";
import { maxRuleNameChars } from "./form.ts";
import {
  askImportRules,
  exportRules,
  ruleImportActions as importActions,
  importOptions,
} from "./import.ts";
import { ruleListActions as listActions, listRules } from "./list.ts";
import {
  askRemoveRuleOrList,
  listEvents,
  ruleListsActions as listsActions,
  showLists,
} from "./lists.ts";
import { manageRuleActions as manageActions, switchRule } from "./manage.ts";
import {
  changeExemptions,
  configureRuleLog,
  exemptOptions,
  ruleSettingsActions as settingsActions,
} from "./settings.ts";
import { shareActions, shareOptions, shareRules } from "./share.ts";
import { subscribeActions, subscribeOptions, subscribeToList } from "./subscribe.ts";

/** Rules that judge comments: how people add, try, list and change them, and what the rules report. */
export const commentRules = {
  askForList: askForRuleList,
  addOptions: addRuleOptions,
  add: addRule,
  propose: proposeRule,
  defaults: ruleDefaults,
  maxNameChars: maxRuleNameChars,
  list: listRules,
  tryOptions: tryRulesOptions,
  tryRules,
  switchRule,
  askRemove: askRemoveRuleOrList,
  exemptOptions,
  exempt: changeExemptions,
  log: configureRuleLog,
  export: exportRules,
  importOptions,
  askImport: askImportRules,
  subscribeOptions,
  subscribe: subscribeToList,
  lists: showLists,
  shareOptions,
  share: shareRules,
  actions: [
    ...addActions,
    ...listActions,
    ...manageActions,
    ...settingsActions,
    ...importActions,
    ...subscribeActions,
    ...listsActions,
    ...shareActions,
    ...actActions,
  ],
  events: [...ruleEvents, ...listEvents],
} as const;
