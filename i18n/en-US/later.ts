import type { siteSetting } from '../../src/schemas/settings/siteSetting.ts'
import type { EntityTexts } from '../types.ts'
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
}

export const laterResources = { setting } satisfies { setting: EntityTexts<typeof siteSetting> }
