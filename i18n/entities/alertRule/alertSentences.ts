import type { Texts } from '../../define/text.ts'

/** The sentences that say in words what an alert rule watches. */
export const alertSentences = {
  on_all: { en: 'all servers', it: 'tutti i server', zhCN: '所有服务器', zhTW: '所有伺服器', de: 'allen Servern' },
  on_except: {
    en: 'all servers except %{names}',
    it: 'tutti i server tranne %{names}',
    zhCN: '除 %{names} 外的所有服务器',
    zhTW: '除 %{names} 外的所有伺服器',
    de: 'allen Servern außer %{names}',
  },
  on_unknown: {
    en: 'servers of an unknown coverage (%{code})',
    it: 'server con una copertura sconosciuta (%{code})',
    zhCN: '覆盖范围未知（%{code}）的服务器',
    zhTW: '涵蓋範圍未知（%{code}）的伺服器',
    de: 'Servern mit unbekannter Abdeckung (%{code})',
  },
  on_none: {
    en: 'no server',
    it: 'nessun server',
    zhCN: '没有任何服务器',
    zhTW: '沒有任何伺服器',
    de: 'keinem Server',
  },
  says_above: {
    en: '%{what} stays above %{max} for about %{time}, on %{where}',
    it: '%{what}: sopra %{max} per circa %{time}, su %{where}',
    zhCN: '%{what}高于 %{max} 持续约 %{time}，范围：%{where}',
    zhTW: '%{what}高於 %{max} 持續約 %{time}，範圍：%{where}',
    de: '%{what}: etwa %{time} lang über %{max}, auf %{where}',
  },
  says_below: {
    en: '%{what} stays below %{min} for about %{time}, on %{where}',
    it: '%{what}: sotto %{min} per circa %{time}, su %{where}',
    zhCN: '%{what}低于 %{min} 持续约 %{time}，范围：%{where}',
    zhTW: '%{what}低於 %{min} 持續約 %{time}，範圍：%{where}',
    de: '%{what}: etwa %{time} lang unter %{min}, auf %{where}',
  },
  says_outside: {
    en: '%{what} stays below %{min} or above %{max} for about %{time}, on %{where}',
    it: '%{what}: sotto %{min} o sopra %{max} per circa %{time}, su %{where}',
    zhCN: '%{what}低于 %{min} 或高于 %{max} 持续约 %{time}，范围：%{where}',
    zhTW: '%{what}低於 %{min} 或高於 %{max} 持續約 %{time}，範圍：%{where}',
    de: '%{what}: etwa %{time} lang unter %{min} oder über %{max}, auf %{where}',
  },
  says_offline: {
    en: 'No report for about %{time}, on %{where}',
    it: 'Nessun segnale per circa %{time}, su %{where}',
    zhCN: '约 %{time} 内没有任何上报，范围：%{where}',
    zhTW: '約 %{time} 內沒有任何回報，範圍：%{where}',
    de: 'Etwa %{time} lang keine Meldung, auf %{where}',
  },
  says_cycle_above: {
    en: '%{what} goes above %{max} within a cycle of %{cycle}, on %{where}',
    it: '%{what}: sopra %{max} in un ciclo di %{cycle}, su %{where}',
    zhCN: '%{what}在 %{cycle}的周期内高于 %{max}，范围：%{where}',
    zhTW: '%{what}在 %{cycle}的週期內高於 %{max}，範圍：%{where}',
    de: '%{what}: über %{max} in einem Zyklus von %{cycle}, auf %{where}',
  },
  says_cycle_below: {
    en: '%{what} is below %{min} within a cycle of %{cycle}, on %{where}',
    it: '%{what}: sotto %{min} in un ciclo di %{cycle}, su %{where}',
    zhCN: '%{what}在 %{cycle}的周期内低于 %{min}，范围：%{where}',
    zhTW: '%{what}在 %{cycle}的週期內低於 %{min}，範圍：%{where}',
    de: '%{what}: unter %{min} in einem Zyklus von %{cycle}, auf %{where}',
  },
  says_cycle_outside: {
    en: '%{what} is below %{min} or above %{max} within a cycle of %{cycle}, on %{where}',
    it: '%{what}: sotto %{min} o sopra %{max} in un ciclo di %{cycle}, su %{where}',
    zhCN: '%{what}在 %{cycle}的周期内低于 %{min} 或高于 %{max}，范围：%{where}',
    zhTW: '%{what}在 %{cycle}的週期內低於 %{min} 或高於 %{max}，範圍：%{where}',
    de: '%{what}: unter %{min} oder über %{max} in einem Zyklus von %{cycle}, auf %{where}',
  },
  says_never: {
    en: '%{what} has no bound: the rule never fails',
    it: '%{what}: nessun limite, la regola non viene mai violata',
    zhCN: '%{what}没有设置上下限：此规则永远不会触发',
    zhTW: '%{what}沒有設定上下限：此規則永遠不會觸發',
    de: '%{what}: keine Grenze, die Regel wird nie verletzt',
  },
} satisfies Texts
