import type { alarm as english } from '../en-US/alarm.ts'
import type { SameShape } from '../types.ts'

/** The alarm history of the embedded server. */
export const alarm = {
  name: '警報記錄',
  counted: '%{smart_count} 筆警報記錄',
  empty: '每次警報規則觸發都會記錄在這裡：在哪台伺服器、數值是多少、持續了多久。',
  fields: {
    id: 'ID',
    created_at: '時間',
    updated_at: '時間',
    rule_id: '規則 ID',
    rule_name: '規則',
    server_id: '伺服器 ID',
    server_name: '伺服器',
    causes: '原因',
    started_at: '開始時間',
    ended_at: '狀態',
    withdrawn: '已撤銷',
    notified: '已通知',
  },
  columns: { rule: '規則', duration: '持續時間' },
} satisfies SameShape<typeof english>
