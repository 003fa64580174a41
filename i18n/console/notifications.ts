import type { Texts } from '../define/text.ts'

/** Short messages after something was done or has failed. */
export const notifications = {
  toast: {
    list: { en: 'Notifications', it: 'Notifiche', zhCN: '通知', zhTW: '通知', de: 'Benachrichtigungen' },
    error: { en: 'Error', it: 'Errore', zhCN: '错误', zhTW: '錯誤', de: 'Fehler' },
    unexpected: {
      en: 'Unexpected error, Please see the console for details.',
      it: 'Errore imprevisto. I dettagli sono nella console del browser.',
      zhCN: '发生意外错误，详情请查看浏览器控制台。',
      zhTW: '發生未預期的錯誤，詳情請查看瀏覽器主控台。',
      de: 'Unerwarteter Fehler. Einzelheiten stehen in der Browserkonsole.',
    },
    created: {
      en: 'Created: %{what}',
      it: 'Creazione completata: %{what}',
      zhCN: '已创建：%{what}',
      zhTW: '已新增：%{what}',
      de: 'Angelegt: %{what}',
    },
    updated: {
      en: 'Saved: %{what}',
      it: 'Modifiche salvate: %{what}',
      zhCN: '已保存：%{what}',
      zhTW: '已儲存：%{what}',
      de: 'Gespeichert: %{what}',
    },
    deleted: {
      en: 'Deleted: %{what}',
      it: 'Eliminazione completata: %{what}',
      zhCN: '已删除：%{what}',
      zhTW: '已刪除：%{what}',
      de: 'Gelöscht: %{what}',
    },
    dismiss: { en: 'Dismiss', it: 'Chiudi', zhCN: '关闭', zhTW: '關閉', de: 'Schließen' },
    copy_failed: {
      en: 'Failed to copy text to clipboard',
      it: 'Impossibile copiare il testo negli appunti',
      zhCN: '无法将文本复制到剪贴板',
      zhTW: '無法將文字複製到剪貼簿',
      de: 'Der Text konnte nicht in die Zwischenablage kopiert werden',
    },
    text_empty: {
      en: 'Text is empty',
      it: 'Il testo è vuoto',
      zhCN: '文本为空',
      zhTW: '文字是空的',
      de: 'Der Text ist leer',
    },
  },
} satisfies Texts
