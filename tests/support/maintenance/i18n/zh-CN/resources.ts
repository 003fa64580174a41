import type { SameShape } from '../../../../../i18n/types.ts'
import type { resources as english } from '../en-US/resources.ts'

export const resources = {
  maintenance: {
    name: '维护窗口',
    counted: '%{smart_count} 个维护窗口',
    menu: '维护',
    empty: '维护窗口是您维护服务器且不希望收到其告警的时段。',
    fields: {
      id: 'ID',
      name: '名称',
      servers: '服务器',
      repeat: '重复',
      starts_at: '开始时间',
      duration: '时长（分钟）',
      mute_alerts: '静默告警',
      note: '备注',
      last_started_at: '上次开始',
      created_at: '创建时间',
      updated_at: '更新时间',
    },
    choices: { repeat: { once: '一次', daily: '每天', weekly: '每周' } },
    sections: { window: '时间' },
    actions: { start: { label: '立即开始', confirm: '立即开始%{what}？', done: '维护已开始' } },
  },
} satisfies SameShape<typeof english>
