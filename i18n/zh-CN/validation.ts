import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: '必填',
  min_length: '至少 %{min} 个字符',
  max_length: '最多 %{max} 个字符',
  min_value: '不能小于 %{min}',
  max_value: '不能大于 %{max}',
  integer: '必须是整数',
  number: '必须是数字',
  url: '必须是以 http:// 或 https:// 开头的网址',
  json: 'JSON 字符串无效',
  text_pairs: '必须是值为文本的 JSON 对象，例如 {"X-Token": "abc"}',
  choice: '请从列表中选择',
  invalid: '该值无效',
  target_icmp: '必须是主机名或 IP 地址，不带端口',
  target_tcp: '必须是主机加端口，例如 example.com:443',
  cover_alarmed: '计划任务不能由告警触发：请选择其他服务器',
  cron_empty: '请输入 cron 表达式',
  cron_fields: '需要 6 个字段：秒、分、时、日、月、星期。当前：%{found} 个',
  cron_low: '“%{part}”的起点低于此字段的最小值 %{least}',
  cron_high: '“%{part}”超过此字段的最大值 %{most}',
  cron_backwards: '“%{part}”的终点早于起点',
  cron_step: '“%{part}”的步长至少为 1',
  cron_hyphens: '“%{part}”中的连字符过多',
  cron_slashes: '“%{part}”中的斜杠过多',
  cron_number: '“%{part}”不是此处可用的数字',
  cron_descriptor: '无法识别“%{part}”。可用：@hourly、@daily、@weekly、@monthly、@yearly 或 @every',
  cron_duration: '@every 之后请填写时长，例如 90s、5m 或 1h30m',
  cron_zone: '不存在时区“%{zone}”',
} satisfies SameShape<typeof english>
