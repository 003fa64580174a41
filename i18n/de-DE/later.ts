import type { later as english, laterResources as englishResources } from '../en-US/later.ts'
import type { SameShape } from '../types.ts'
import { account } from './account.ts'
import { alarmCells } from './alarmCells.ts'
import { ddnsNames } from './ddnsNames.ts'
import { figures } from './figures.ts'
import { files } from './files.ts'
import { ownSessions } from './ownSessions.ts'
import { setting, siteSettings } from './siteSettings.ts'
import { terminal } from './terminal.ts'

/** Texts that only parts fetched on demand say. */
export const later = {
  ...account,
  ...alarmCells,
  ...ddnsNames,
  ...figures,
  ...files,
  ...ownSessions,
  ...siteSettings,
  ...terminal,
} satisfies SameShape<typeof english>

export const laterResources = { setting } satisfies SameShape<typeof englishResources>
