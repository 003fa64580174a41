import { describe, expect, it } from 'vitest'
import { labelFromName, plural } from '../../../i18n/define/english.ts'
import { entityTexts } from '../../../i18n/define/entityTexts.ts'
import { textsIn } from '../../../i18n/define/text.ts'
import { drill as texts } from '../../support/drill/i18n/entities/drill.ts'
import type { drill } from '../../support/drill/src/schemas/drill.ts'

describe('an English label', () => {
  it.each([
    ['starts_at', 'Starts at'],
    ['mute_alerts', 'Mute alerts'],
    ['id', 'ID'],
    ['server_id', 'Server ID'],
    ['webhook_url', 'Webhook URL'],
    ['ip_change', 'IP change'],
    ['ipv4', 'IPv4'],
  ])('follows from %s as %s', (name, label) => {
    expect(labelFromName(name)).toBe(label)
  })

  it.each([
    ['Server', 'Servers'],
    ['Delivery', 'Deliveries'],
    ['Gateway', 'Gateways'],
    ['Blocked address', 'Blocked addresses'],
    ['Check', 'Checks'],
    ['Batch', 'Batches'],
  ])('has a plural: %s, %s', (one, many) => {
    expect(plural(one)).toBe(many)
  })
})

describe('the texts of an entity', () => {
  const name = {
    en: 'Drill',
    it: 'Finestra |||| Finestre',
    zhCN: '窗口',
    zhTW: 'DDNS 時段',
    de: 'Fenster',
  }
  const any = { en: '', it: '', zhCN: '', zhTW: '', de: '' }
  const fields = {
    ...{ servers: any, repeat: any, starts_at: any, duration: any },
    mute_alerts: any,
    note: any,
    notification_group_id: any,
  }
  const around = { name, empty: any, fields: { ...fields, last_started_at: any } }

  it('count its records by its name, and in their own way where one is given', () => {
    const entity = entityTexts<typeof drill>({ ...around, counted: { zhCN: '%{smart_count} 扇窗口' } })
    expect(entity.counted).toEqual({
      en: '%{smart_count} drill |||| %{smart_count} drills',
      it: '%{smart_count} finestra |||| %{smart_count} finestre',
      zhCN: '%{smart_count} 扇窗口',
      zhTW: '%{smart_count} 個 DDNS 時段',
      de: '%{smart_count} Fenster',
    })
  })

  it('have all labels, given or not', () => {
    expect(textsIn('en', texts)).toMatchObject({
      name: 'Drill |||| Drills',
      fields: { id: 'ID', name: 'Name', starts_at: 'Starts at', duration: 'Minutes', created_at: 'Created at' },
      choices: { repeat: { once: 'Once' } },
      sections: { window: 'When' },
      actions: { start: { label: 'Start now', confirm: 'Start %{what} now?' } },
    })
    expect(textsIn('de', texts)).toMatchObject({ fields: { id: 'ID', created_at: 'Angelegt am' } })
  })
})
