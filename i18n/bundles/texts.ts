import { actions } from '../console/actions.ts'
import { connection } from '../console/connection.ts'
import { duration } from '../console/duration.ts'
import { form } from '../console/form.ts'
import { list } from '../console/list.ts'
import { notifications } from '../console/notifications.ts'
import { palette } from '../console/palette.ts'
import { shell } from '../console/shell.ts'
import { validation } from '../console/validation.ts'
import { mergeTexts } from '../define/mergeTexts.ts'
import { type Language, type Texts, type TextTree, textsIn } from '../define/text.ts'
import { entities } from '../entities/index.ts'
import { setting } from '../entities/setting.ts'
import { agentConfig } from '../pages/agentConfig.ts'
import { alarms } from '../pages/alarms.ts'
import { apiTokens } from '../pages/apiTokens.ts'
import { charts } from '../pages/charts.ts'
import { codeEditor } from '../pages/codeEditor.ts'
import { ddnsDomains } from '../pages/ddnsDomains.ts'
import { files } from '../pages/files.ts'
import { installAgent } from '../pages/installAgent.ts'
import { profile } from '../pages/profile.ts'
import { publicNote } from '../pages/publicNote.ts'
import { secondFactor } from '../pages/secondFactor.ts'
import { security } from '../pages/security.ts'
import { sessions } from '../pages/sessions.ts'
import { settings } from '../pages/settings.ts'
import { taskResults } from '../pages/taskResults.ts'
import { terminal } from '../pages/terminal.ts'
import { transfers } from '../pages/transfers.ts'

/** What the first list may say: its English comes with the console. */
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
    ...agentConfig,
    ...installAgent,
    ...publicNote,
  },
  resources: entities,
} satisfies Texts

/** What only parts say that are fetched on demand: its English is fetched with the first of them. */
export const laterTexts = {
  app: {
    ...profile,
    ...sessions,
    ...secondFactor,
    ...apiTokens,
    ...transfers,
    ...settings,
    ...security,
    ...terminal,
    ...files,
    ...codeEditor,
    ...charts,
    ...alarms,
    ...ddnsDomains,
    ...taskResults,
  },
  resources: { setting },
  ...validation,
} satisfies Texts

/** All texts of one language but react-admin's own. */
export const allTextsIn = (language: Language): TextTree =>
  mergeTexts(textsIn(language, firstTexts), textsIn(language, laterTexts))
