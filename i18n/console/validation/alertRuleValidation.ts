import type { Texts } from '../../define/text.ts'

/** What can be wrong with the parts of an alert rule. */
export const alertRuleValidation = {
  rules_missing: {
    en: 'Add at least one rule',
    it: 'Aggiungi almeno una regola',
    zhCN: '请至少添加一条规则',
    zhTW: '請至少新增一條規則',
    de: 'Mindestens eine Regel hinzufügen',
  },
  rule_field: {
    en: 'Rule %{rule}: “%{field}” is missing or invalid',
    it: 'Regola %{rule}: «%{field}» manca o ha un valore non ammesso',
    zhCN: '规则 %{rule}：“%{field}”缺失或取值无效',
    zhTW: '規則 %{rule}：「%{field}」缺少或值無效',
    de: 'Regel %{rule}: „%{field}“ fehlt oder hat einen ungültigen Wert',
  },
  rule_samples: {
    en: 'Rule %{rule}: needs at least 3 samples',
    it: 'Regola %{rule}: servono almeno 3 campioni',
    zhCN: '规则 %{rule}：至少需要 3 个采样',
    zhTW: '規則 %{rule}：至少需要 3 個取樣',
    de: 'Regel %{rule}: mindestens 3 Messungen nötig',
  },
  rule_interval: {
    en: 'Rule %{rule}: the cycle must have a length of at least 1',
    it: 'Regola %{rule}: il ciclo deve avere una lunghezza di almeno 1',
    zhCN: '规则 %{rule}：周期长度至少为 1',
    zhTW: '規則 %{rule}：週期長度至少為 1',
    de: 'Regel %{rule}: der Zyklus muss mindestens die Länge 1 haben',
  },
  rule_start: {
    en: 'Rule %{rule}: set the start of the cycle',
    it: 'Regola %{rule}: indica l’inizio del ciclo',
    zhCN: '规则 %{rule}：请填写周期起点',
    zhTW: '規則 %{rule}：請填寫週期起點',
    de: 'Regel %{rule}: Beginn des Zyklus angeben',
  },
  rule_moment: {
    en: 'Rule %{rule}: write the start of the cycle as 2025-01-01T00:00:00Z',
    it: 'Regola %{rule}: scrivi l’inizio del ciclo nella forma 2025-01-01T00:00:00Z',
    zhCN: '规则 %{rule}：周期起点请写成 2025-01-01T00:00:00Z 的形式',
    zhTW: '規則 %{rule}：週期起點請寫成 2025-01-01T00:00:00Z 的形式',
    de: 'Regel %{rule}: Beginn des Zyklus in der Form 2025-01-01T00:00:00Z schreiben',
  },
} satisfies Texts
