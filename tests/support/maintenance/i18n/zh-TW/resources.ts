import type { SameShape } from '../../../../../i18n/types.ts'
import type { resources as english } from '../en-US/resources.ts'

export const resources = {
  maintenance: {
    name: '維護時段',
    counted: '%{smart_count} 個維護時段',
    menu: '維護',
    empty: '維護時段是您維護伺服器且不希望收到其警示的時間。',
    fields: {
      id: 'ID',
      name: '名稱',
      servers: '伺服器',
      repeat: '重複',
      starts_at: '開始時間',
      duration: '時長（分鐘）',
      mute_alerts: '靜音警示',
      note: '備註',
      last_started_at: '上次開始',
      created_at: '建立時間',
      updated_at: '更新時間',
    },
    choices: { repeat: { once: '一次', daily: '每天', weekly: '每週' } },
    sections: { window: '時間' },
    actions: { start: { label: '立即開始', confirm: '立即開始%{what}？', done: '維護已開始' } },
  },
} satisfies SameShape<typeof english>
