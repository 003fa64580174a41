import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: '必填',
  min_length: '至少 %{min} 個字元',
  max_length: '最多 %{max} 個字元',
  min_value: '不可小於 %{min}',
  max_value: '不可大於 %{max}',
  integer: '必須是整數',
  number: '必須是數字',
  url: '必須是以 http:// 或 https:// 開頭的網址',
  json: 'JSON 字串無效',
  text_pairs: '必須是值為文字的 JSON 物件，例如 {"X-Token": "abc"}',
  choice: '請從清單中選擇',
  invalid: '此值無效',
  target_icmp: '必須是主機名稱或 IP 位址，不含連接埠',
  target_tcp: '必須是主機加連接埠，例如 example.com:443',
  cover_alarmed: '排程任務不能由警報觸發：請選擇其他伺服器',
  cron_empty: '請輸入 cron 運算式',
  cron_fields: '需要 6 個欄位：秒、分、時、日、月、星期。目前：%{found} 個',
  cron_low: '「%{part}」的起點低於此欄位的最小值 %{least}',
  cron_high: '「%{part}」超過此欄位的最大值 %{most}',
  cron_backwards: '「%{part}」的終點早於起點',
  cron_step: '「%{part}」的間隔至少為 1',
  cron_hyphens: '「%{part}」中的連字號過多',
  cron_slashes: '「%{part}」中的斜線過多',
  cron_number: '「%{part}」不是此處可用的數字',
  cron_descriptor: '無法辨識「%{part}」。可用：@hourly、@daily、@weekly、@monthly、@yearly 或 @every',
  cron_duration: '@every 之後請填寫時間長度，例如 90s、5m 或 1h30m',
  cron_zone: '沒有時區「%{zone}」',
} satisfies SameShape<typeof english>
