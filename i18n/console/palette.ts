import type { Texts } from '../define/text.ts'

/** The command palette, and the list of keyboard shortcuts. */
export const palette = {
  palette: {
    title: {
      en: 'Command palette',
      it: 'Tavolozza dei comandi',
      zhCN: '命令面板',
      zhTW: '命令面板',
      de: 'Befehlspalette',
    },
    hint: {
      en: 'Go to a screen, create, or find a record by name',
      it: 'Vai a una schermata, crea o trova un elemento per nome',
      zhCN: '跳转页面、新建，或按名称查找',
      zhTW: '前往頁面、建立，或依名稱尋找',
      de: 'Ansicht öffnen, anlegen oder Eintrag nach Namen finden',
    },
    screen: { en: 'Screen', it: 'Schermata', zhCN: '页面', zhTW: '頁面', de: 'Ansicht' },
  },
  keys: {
    title: { en: 'Keys', it: 'Scorciatoie da tastiera', zhCN: '键盘快捷键', zhTW: '鍵盤快速鍵', de: 'Tastenkürzel' },
    search: {
      en: 'Search this list',
      it: 'Cerca in questo elenco',
      zhCN: '搜索此列表',
      zhTW: '搜尋此清單',
      de: 'Diese Liste durchsuchen',
    },
    move: {
      en: 'Move between rows, and from the search into them',
      it: 'Spostati tra le righe, e dalla ricerca alle righe',
      zhCN: '在行间移动，或从搜索框进入列表',
      zhTW: '在列之間移動，或從搜尋框進入清單',
      de: 'Zwischen Zeilen wechseln, auch aus der Suche dorthin',
    },
    select: {
      en: 'Select the row',
      it: 'Seleziona la riga',
      zhCN: '选择该行',
      zhTW: '選取該列',
      de: 'Zeile auswählen',
    },
    open: { en: 'Open the record', it: 'Apri l’elemento', zhCN: '打开该项', zhTW: '開啟該項目', de: 'Eintrag öffnen' },
    range: {
      en: 'Select a range',
      it: 'Seleziona un intervallo',
      zhCN: '选择一段范围',
      zhTW: '選取一個範圍',
      de: 'Bereich auswählen',
    },
    order: {
      en: 'Move a row, in a list in the order of its display index',
      it: 'Sposta una riga, in un elenco ordinato per indice di ordinamento',
      zhCN: '移动行（列表按排序值排列时）',
      zhTW: '移動列（清單依排序值排列時）',
      de: 'Eine Zeile verschieben, in einer nach dem Sortierindex geordneten Liste',
    },
    palette: {
      en: 'Go anywhere, create, find',
      it: 'Vai ovunque, crea, trova',
      zhCN: '跳转、新建、查找',
      zhTW: '前往、建立、尋找',
      de: 'Überallhin springen, anlegen, finden',
    },
    save: { en: 'Save the form', it: 'Salva il modulo', zhCN: '保存表单', zhTW: '儲存表單', de: 'Formular speichern' },
    close: {
      en: 'Close the dialog or clear the search',
      it: 'Chiudi la finestra o azzera la ricerca',
      zhCN: '关闭对话框或清空搜索',
      zhTW: '關閉對話框或清除搜尋',
      de: 'Dialog schließen oder Suche leeren',
    },
    help: {
      en: 'Show these keys',
      it: 'Mostra queste scorciatoie',
      zhCN: '显示这些快捷键',
      zhTW: '顯示這些快速鍵',
      de: 'Diese Tastenkürzel anzeigen',
    },
  },
} satisfies Texts
