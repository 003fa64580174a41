import type { Texts } from '../../define/text.ts'

/** What can be wrong with a cron expression. */
export const cronValidation = {
  cron_empty: {
    en: 'Enter a cron expression',
    it: 'Inserisci un’espressione cron',
    zhCN: '请输入 cron 表达式',
    zhTW: '請輸入 cron 運算式',
    de: 'Einen Cron-Ausdruck eingeben',
  },
  cron_fields: {
    en: 'Needs 6 fields: second, minute, hour, day of month, month, day of week. Found: %{found}',
    it: 'Servono 6 campi: secondo, minuto, ora, giorno del mese, mese, giorno della settimana. Trovati: %{found}',
    zhCN: '需要 6 个字段：秒、分、时、日、月、星期。当前：%{found} 个',
    zhTW: '需要 6 個欄位：秒、分、時、日、月、星期。目前：%{found} 個',
    de: 'Benötigt 6 Felder: Sekunde, Minute, Stunde, Tag des Monats, Monat, Wochentag. Gefunden: %{found}',
  },
  cron_low: {
    en: '“%{part}” starts below %{least}, the minimum of this field',
    it: '«%{part}» inizia sotto %{least}, il minimo di questo campo',
    zhCN: '“%{part}”的起点低于此字段的最小值 %{least}',
    zhTW: '「%{part}」的起點低於此欄位的最小值 %{least}',
    de: '„%{part}“ beginnt unter %{least}, dem kleinsten Wert dieses Felds',
  },
  cron_high: {
    en: '“%{part}” goes above %{most}, the maximum of this field',
    it: '«%{part}» supera %{most}, il massimo di questo campo',
    zhCN: '“%{part}”超过此字段的最大值 %{most}',
    zhTW: '「%{part}」超過此欄位的最大值 %{most}',
    de: '„%{part}“ geht über %{most} hinaus, den größten Wert dieses Felds',
  },
  cron_backwards: {
    en: '“%{part}” ends before it starts',
    it: '«%{part}» finisce prima di iniziare',
    zhCN: '“%{part}”的终点早于起点',
    zhTW: '「%{part}」的終點早於起點',
    de: '„%{part}“ endet, bevor es beginnt',
  },
  cron_step: {
    en: 'The step of “%{part}” must be at least 1',
    it: 'Il passo di «%{part}» deve essere almeno 1',
    zhCN: '“%{part}”的步长至少为 1',
    zhTW: '「%{part}」的間隔至少為 1',
    de: 'Die Schrittweite von „%{part}“ muss mindestens 1 sein',
  },
  cron_hyphens: {
    en: '“%{part}” has too many hyphens',
    it: '«%{part}» ha troppi trattini',
    zhCN: '“%{part}”中的连字符过多',
    zhTW: '「%{part}」中的連字號過多',
    de: '„%{part}“ hat zu viele Bindestriche',
  },
  cron_slashes: {
    en: '“%{part}” has too many slashes',
    it: '«%{part}» ha troppe barre',
    zhCN: '“%{part}”中的斜杠过多',
    zhTW: '「%{part}」中的斜線過多',
    de: '„%{part}“ hat zu viele Schrägstriche',
  },
  cron_number: {
    en: '“%{part}” is not a valid number here',
    it: '«%{part}» non è un numero ammesso qui',
    zhCN: '“%{part}”不是此处可用的数字',
    zhTW: '「%{part}」不是此處可用的數字',
    de: '„%{part}“ ist keine Zahl, die hier stehen kann',
  },
  cron_descriptor: {
    en: '“%{part}” is unknown. Use @hourly, @daily, @weekly, @monthly, @yearly or @every',
    it: '«%{part}» è sconosciuto. Usa @hourly, @daily, @weekly, @monthly, @yearly o @every',
    zhCN: '无法识别“%{part}”。可用：@hourly、@daily、@weekly、@monthly、@yearly 或 @every',
    zhTW: '無法辨識「%{part}」。可用：@hourly、@daily、@weekly、@monthly、@yearly 或 @every',
    de: '„%{part}“ ist unbekannt. Möglich sind @hourly, @daily, @weekly, @monthly, @yearly und @every',
  },
  cron_duration: {
    en: '@every needs a duration, such as 90s, 5m or 1h30m',
    it: '@every richiede una durata, ad esempio 90s, 5m o 1h30m',
    zhCN: '@every 之后请填写时长，例如 90s、5m 或 1h30m',
    zhTW: '@every 之後請填寫時間長度，例如 90s、5m 或 1h30m',
    de: '@every braucht eine Dauer, zum Beispiel 90s, 5m oder 1h30m',
  },
  cron_zone: {
    en: 'There is no time zone “%{zone}”',
    it: 'Il fuso orario «%{zone}» non esiste',
    zhCN: '不存在时区“%{zone}”',
    zhTW: '沒有時區「%{zone}」',
    de: 'Die Zeitzone „%{zone}“ gibt es nicht',
  },
} satisfies Texts
