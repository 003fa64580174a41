import type { Texts } from '../define/text.ts'

/** The form for the public note of a server. */
export const publicNote = {
  public_note: {
    view: { en: 'Edit as', it: 'Modifica come', zhCN: '编辑方式', zhTW: '編輯方式', de: 'Bearbeiten als' },
    form: { en: 'Form', it: 'Modulo', zhCN: '表单', zhTW: '表單', de: 'Formular' },
    text: { en: 'Text', it: 'Testo', zhCN: '文本', zhTW: '文字', de: 'Freitext' },
    free: {
      en: 'This text is saved as it is.',
      it: 'Questo testo resta così com’è.',
      zhCN: '此文本会原样保留。',
      zhTW: '此文字會原樣保留。',
      de: 'Dieser Text bleibt, wie er ist.',
    },
    no_expiry: { en: 'Never expires', it: 'Non scade mai', zhCN: '永不到期', zhTW: '永不到期', de: 'Läuft nie ab' },
    parts: {
      billingDataMod: { en: 'Billing', it: 'Fatturazione', zhCN: '计费', zhTW: '計費', de: 'Abrechnung' },
      planDataMod: { en: 'Plan', it: 'Piano', zhCN: '套餐', zhTW: '方案', de: 'Tarif' },
    },
    fields: {
      startDate: { en: 'Start', it: 'Inizio', zhCN: '开始日期', zhTW: '開始日期', de: 'Beginn' },
      endDate: { en: 'End', it: 'Fine', zhCN: '到期日期', zhTW: '到期日期', de: 'Ende' },
      autoRenewal: {
        en: 'Auto-renewal',
        it: 'Rinnovo automatico',
        zhCN: '自动续费',
        zhTW: '自動續約',
        de: 'Automatische Verlängerung',
      },
      cycle: {
        en: 'Billing cycle',
        it: 'Ciclo di fatturazione',
        zhCN: '计费周期',
        zhTW: '計費週期',
        de: 'Abrechnungszeitraum',
      },
      amount: { en: 'Amount', it: 'Importo', zhCN: '金额', zhTW: '金額', de: 'Betrag' },
      bandwidth: { en: 'Bandwidth', it: 'Larghezza di banda', zhCN: '带宽', zhTW: '頻寬', de: 'Bandbreite' },
      trafficVol: { en: 'Traffic volume', it: 'Volume di traffico', zhCN: '流量', zhTW: '流量', de: 'Datenvolumen' },
      trafficType: {
        en: 'Counted traffic',
        it: 'Traffico contato',
        zhCN: '流量计算方式',
        zhTW: '流量計算方式',
        de: 'Gezählter Verkehr',
      },
      IPv4: { en: 'IPv4', it: 'IPv4', zhCN: 'IPv4', zhTW: 'IPv4', de: 'IPv4' },
      IPv6: { en: 'IPv6', it: 'IPv6', zhCN: 'IPv6', zhTW: 'IPv6', de: 'IPv6' },
      networkRoute: { en: 'Network route', it: 'Rotta di rete', zhCN: '网络线路', zhTW: '網路線路', de: 'Netzroute' },
      extra: { en: 'More', it: 'Altro', zhCN: '其他', zhTW: '其他', de: 'Weiteres' },
    },
    choices: {
      day: { en: 'Daily', it: 'Ogni giorno', zhCN: '每天', zhTW: '每天', de: 'Täglich' },
      week: { en: 'Weekly', it: 'Ogni settimana', zhCN: '每周', zhTW: '每週', de: 'Wöchentlich' },
      month: { en: 'Monthly', it: 'Ogni mese', zhCN: '每月', zhTW: '每月', de: 'Monatlich' },
      year: { en: 'Yearly', it: 'Ogni anno', zhCN: '每年', zhTW: '每年', de: 'Jährlich' },
      one_way: { en: 'One direction', it: 'Una direzione', zhCN: '单向', zhTW: '單向', de: 'Eine Richtung' },
      both_ways: {
        en: 'Both directions',
        it: 'Entrambe le direzioni',
        zhCN: '双向',
        zhTW: '雙向',
        de: 'Beide Richtungen',
      },
    },
  },
} satisfies Texts
