import type { Texts } from '../define/text.ts'

/** What others have changed since the last visit. */
export const changesByOthers = {
  changes_by_others: {
    by_others: {
      en: 'Changed by others since your last visit: %{what}',
      it: 'Modifiche di altri dall’ultima visita: %{what}',
      zhCN: '自您上次访问以来他人的更改：%{what}',
      zhTW: '自您上次造訪以來他人的變更：%{what}',
      de: 'Seit dem letzten Besuch von anderen geändert: %{what}',
    },
    different: {
      en: 'Different since your last visit: %{what}',
      it: 'Differenze dall’ultima visita: %{what}',
      zhCN: '自您上次访问以来有变化：%{what}',
      zhTW: '自您上次造訪以來有變化：%{what}',
      de: 'Anders seit dem letzten Besuch: %{what}',
    },
    show: { en: 'Show', it: 'Mostra', zhCN: '显示', zhTW: '顯示', de: 'Zeigen' },
    dismiss: { en: 'Dismiss', it: 'Ignora', zhCN: '忽略', zhTW: '忽略', de: 'Verwerfen' },
    title: {
      en: 'Since your last visit',
      it: 'Dall’ultima visita',
      zhCN: '自上次访问以来',
      zhTW: '自上次造訪以來',
      de: 'Seit dem letzten Besuch',
    },
    compared: {
      en: 'This server does not record who changes what. This browser remembers only whether a record has changed, not what it held.',
      it: 'Questo server non registra chi modifica cosa. Il browser ricorda solo se un elemento è cambiato, non il suo contenuto.',
      zhCN: '此服务器不记录谁更改了什么。浏览器只记得某条记录是否有变化，不保存其内容。',
      zhTW: '此伺服器不記錄誰變更了什麼。瀏覽器只記得某筆記錄是否有變化，不儲存其內容。',
      de: 'Dieser Server zeichnet nicht auf, wer was ändert. Der Browser merkt sich nur, ob sich ein Eintrag geändert hat, nicht seinen Inhalt.',
    },
    added: { en: 'New', it: 'Nuovi', zhCN: '新增', zhTW: '新增', de: 'Neu' },
    changed: { en: 'Changed', it: 'Modificati', zhCN: '已更改', zhTW: '已變更', de: 'Geändert' },
    removed: { en: 'Gone', it: 'Scomparsi', zhCN: '已消失', zhTW: '已消失', de: 'Verschwunden' },
    more: {
      en: 'and %{count} more',
      it: 'e altri %{count}',
      zhCN: '以及另外 %{count} 项',
      zhTW: '以及另外 %{count} 項',
      de: 'und %{count} weitere',
    },
  },
} satisfies Texts
