import type { Texts } from '../../define/text.ts'

/** The settings of all terminals of a browser. */
export const preferences = {
  open: {
    en: 'Terminal settings',
    it: 'Impostazioni del terminale',
    zhCN: '终端设置',
    zhTW: '終端機設定',
    de: 'Terminal-Einstellungen',
  },
  font_size: {
    en: 'Font size',
    it: 'Dimensione del carattere',
    zhCN: '字号',
    zhTW: '字型大小',
    de: 'Schriftgröße',
  },
  font_size_hint: {
    en: '%{least} to %{most} pixels',
    it: 'Da %{least} a %{most} pixel',
    zhCN: '%{least} 到 %{most} 像素',
    zhTW: '%{least} 到 %{most} 像素',
    de: '%{least} bis %{most} Pixel',
  },
  font: { en: 'Font', it: 'Carattere', zhCN: '字体', zhTW: '字型', de: 'Schriftart' },
  font_hint: {
    en: 'Fonts installed on this device, separated by commas. Empty: the system’s own.',
    it: 'Caratteri installati su questo dispositivo, separati da virgole. Vuoto: quello di sistema.',
    zhCN: '本设备上安装的字体，用逗号分隔。留空则使用系统字体。',
    zhTW: '本裝置上安裝的字型，以逗號分隔。留空則使用系統字型。',
    de: 'Auf diesem Gerät installierte Schriften, durch Kommas getrennt. Leer: die Systemschrift.',
  },
  console: {
    en: 'Like the console',
    it: 'Come la console',
    zhCN: '与控制台一致',
    zhTW: '與主控台一致',
    de: 'Wie die Konsole',
  },
  light: { en: 'Light', it: 'Chiaro', zhCN: '浅色', zhTW: '淺色', de: 'Hell' },
  dark: { en: 'Dark', it: 'Scuro', zhCN: '深色', zhTW: '深色', de: 'Dunkel' },
  copiesSelection: {
    en: 'Copy what is selected',
    it: 'Copia ciò che viene selezionato',
    zhCN: '选中即复制',
    zhTW: '選取即複製',
    de: 'Markiertes kopieren',
  },
  asksBeforePaste: {
    en: 'Ask before pasting several lines',
    it: 'Chiedi prima di incollare più righe',
    zhCN: '粘贴多行前询问',
    zhTW: '貼上多行前詢問',
    de: 'Vor dem Einfügen mehrerer Zeilen fragen',
  },
  screenReader: {
    en: 'Screen reader mode',
    it: 'Modalità per lettori di schermo',
    zhCN: '屏幕阅读器模式',
    zhTW: '螢幕閱讀器模式',
    de: 'Modus für Screenreader',
  },
  keys: {
    en: 'Ctrl-Shift-C copies, Ctrl-Shift-V pastes, Ctrl-Shift-F searches, Ctrl-Shift-Arrow up moves from the terminal to the buttons.',
    it: 'Ctrl-Maiusc-C copia, Ctrl-Maiusc-V incolla, Ctrl-Maiusc-F cerca, Ctrl-Maiusc-Freccia su porta dal terminale ai pulsanti.',
    zhCN: 'Ctrl-Shift-C 复制，Ctrl-Shift-V 粘贴，Ctrl-Shift-F 搜索，Ctrl-Shift-上箭头 从终端移到按钮。',
    zhTW: 'Ctrl-Shift-C 複製，Ctrl-Shift-V 貼上，Ctrl-Shift-F 搜尋，Ctrl-Shift-上方向鍵 從終端機移到按鈕。',
    de: 'Strg-Umschalt-C kopiert, Strg-Umschalt-V fügt ein, Strg-Umschalt-F sucht, Strg-Umschalt-Pfeil nach oben führt aus dem Terminal zu den Schaltflächen.',
  },
} satisfies Texts
