import type { EntityTexts } from '../../../../../i18n/types.ts'
import type { maintenance } from '../../src/schemas/maintenance.ts'

export const resources = {
  maintenance: {
    name: 'Maintenance window |||| Maintenance windows',
    counted: '%{smart_count} maintenance window |||| %{smart_count} maintenance windows',
    menu: 'Maintenance',
    empty: 'Maintenance windows are times in which you work on servers and do not want to be alarmed by them.',
    fields: {
      id: 'ID',
      name: 'Name',
      servers: 'Servers',
      repeat: 'Repeat',
      starts_at: 'Starts at',
      duration: 'Minutes',
      mute_alerts: 'Mute alerts',
      note: 'Note',
      last_started_at: 'Last start',
      created_at: 'Created at',
      updated_at: 'Updated at',
    },
    choices: { repeat: { once: 'Once', daily: 'Daily', weekly: 'Weekly' } },
    sections: { window: 'When' },
    actions: { start: { label: 'Start now', confirm: 'Start %{what} now?', done: 'Maintenance started' } },
  },
} satisfies { maintenance: EntityTexts<typeof maintenance> }
