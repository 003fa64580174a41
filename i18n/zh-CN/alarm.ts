import type { alarm as english } from '../en-US/alarm.ts'
import type { SameShape } from '../types.ts'

/** The alarm history of the embedded server. */
export const alarm = {
  name: '告警记录',
  counted: '%{smart_count} 条告警记录',
  empty: '每次告警规则触发都会记录在这里：在哪台服务器、数值是多少、持续了多久。',
  fields: {
    id: 'ID',
    created_at: '时间',
    updated_at: '时间',
    rule_id: '规则 ID',
    rule_name: '规则',
    server_id: '服务器 ID',
    server_name: '服务器',
    causes: '原因',
    started_at: '开始时间',
    ended_at: '状态',
    withdrawn: '已撤销',
    notified: '已通知',
  },
  columns: { rule: '规则', duration: '持续时间' },
} satisfies SameShape<typeof english>
