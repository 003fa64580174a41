import { actions } from '../console/actions.ts'
import { connection } from '../console/connection.ts'
import { duration } from '../console/duration.ts'
import { form } from '../console/form.ts'
import { list } from '../console/list.ts'
import { notifications } from '../console/notifications.ts'
import { order } from '../console/order.ts'
import { palette } from '../console/palette.ts'
import { refusals } from '../console/refusals.ts'
import { shell } from '../console/shell.ts'
import { summary } from '../console/summary.ts'
import { validation } from '../console/validation/validation.ts'
import { mergeTexts } from '../define/mergeTexts.ts'
import { type Language, type Texts, type TextTree, textsIn } from '../define/text.ts'
import { entities } from '../entities/index.ts'
import { setting } from '../entities/setting/setting.ts'
import { adminsOnly } from '../pages/adminsOnly.ts'
import { agentConfig } from '../pages/agentConfig/agentConfig.ts'
import { alarms } from '../pages/alarms.ts'
import { apiTokens } from '../pages/apiTokens.ts'
import { auditActions } from '../pages/auditActions.ts'
import { backtest } from '../pages/backtest.ts'
import { bulkEdit } from '../pages/bulkEdit.ts'
import { changes } from '../pages/changes.ts'
import { changesByOthers } from '../pages/changesByOthers.ts'
import { charts } from '../pages/charts.ts'
import { codeEditor } from '../pages/codeEditor.ts'
import { configuration } from '../pages/configuration/configuration.ts'
import { cronCalendar } from '../pages/cronCalendar.ts'
import { ddnsDomains } from '../pages/ddnsDomains.ts'
import { files } from '../pages/files/files.ts'
import { formNotes } from '../pages/formNotes.ts'
import { installAgent } from '../pages/installAgent.ts'
import { mutes } from '../pages/mutes.ts'
import { notifierDialogs } from '../pages/notifierDialogs.ts'
import { overview } from '../pages/overview.ts'
import { profile } from '../pages/profile.ts'
import { publicNote } from '../pages/publicNote.ts'
import { secondFactor } from '../pages/secondFactor.ts'
import { security } from '../pages/security/security.ts'
import { sessions } from '../pages/sessions.ts'
import { settings } from '../pages/settings.ts'
import { taskRuns } from '../pages/taskRuns.ts'
import { terminal } from '../pages/terminal/terminal.ts'
import { transfers } from '../pages/transfers.ts'
import { undo } from '../pages/undo.ts'

/** The texts of entities, without headings and the sentences below inputs: forms are fetched on demand. */
const listTexts: Texts = Object.fromEntries(
  Object.entries(entities).map(([name, { help: _, sections: __, ...texts }]) => [name, texts as Texts]),
)
const formTexts: Texts = Object.fromEntries(
  Object.entries(entities).map(([name, { help = {}, sections = {} }]) => [
    name,
    { help, sections, ...(formNotes as Texts)[name] } as Texts,
  ]),
)

/** The texts that the first list may show: their English is part of the console's bundle. */
export const firstTexts = {
  app: {
    ...shell,
    ...list,
    ...actions,
    ...form,
    ...notifications,
    ...connection,
    ...duration,
    ...palette,
    ...order,
    ...summary,
  },
  resources: listTexts,
} satisfies Texts

/** The texts of parts that are fetched on demand: their English is fetched with the first such part. */
export const laterTexts = {
  app: {
    ...agentConfig,
    ...installAgent,
    ...publicNote,
    ...profile,
    ...sessions,
    ...secondFactor,
    ...apiTokens,
    ...transfers,
    ...settings,
    ...security,
    ...configuration,
    ...terminal,
    ...files,
    ...codeEditor,
    ...charts,
    ...alarms,
    ...backtest,
    ...cronCalendar,
    ...ddnsDomains,
    ...taskRuns,
    ...mutes,
    ...notifierDialogs,
    ...adminsOnly,
    ...auditActions,
    ...changes,
    ...changesByOthers,
    ...overview,
    ...bulkEdit,
    ...undo,
  },
  resources: { ...formTexts, setting },
  ...validation,
  ...refusals,
} satisfies Texts

/** All texts of one language but react-admin's own. */
export const allTextsIn = (language: Language): TextTree =>
  mergeTexts(textsIn(language, firstTexts), textsIn(language, laterTexts))
