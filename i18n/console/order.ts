import type { Texts } from '../define/text.ts'

/** Ordering rows by hand. */
export const order = {
  order: {
    by_hand: {
      en: 'Order by hand',
      it: 'Ordina manualmente',
      zhCN: '手动排序',
      zhTW: '手動排序',
      de: 'Von Hand ordnen',
    },
    top: { en: 'Move to top', it: 'Sposta in cima', zhCN: '移到最前', zhTW: '移到最前', de: 'Ganz nach oben' },
    up: { en: 'Move up', it: 'Sposta su', zhCN: '上移', zhTW: '上移', de: 'Nach oben' },
    down: { en: 'Move down', it: 'Sposta giù', zhCN: '下移', zhTW: '下移', de: 'Nach unten' },
    moved: {
      en: '%{name}: position %{place} of %{total}',
      it: '%{name}: posizione %{place} di %{total}',
      zhCN: '%{name}：第 %{place} 位，共 %{total}',
      zhTW: '%{name}：第 %{place} 位，共 %{total}',
      de: '%{name}: Platz %{place} von %{total}',
    },
    how: {
      en: 'Rows can be moved while the list is in their order: choose “Order by hand” in the view options.',
      it: 'Le righe si spostano quando l’elenco è nel loro ordine: scegli «Ordina manualmente» nelle opzioni di visualizzazione.',
      zhCN: '只有在手动顺序下才能移动行：请在显示选项中选择“手动排序”。',
      zhTW: '只有在手動順序下才能移動列：請在檢視選項中選擇「手動排序」。',
      de: 'Zeilen lassen sich verschieben, wenn die Liste in ihrer Reihenfolge steht: „Von Hand ordnen“ in den Ansichtsoptionen.',
    },
  },
} satisfies Texts
