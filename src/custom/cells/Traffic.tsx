import { styled } from '@mui/material/styles'
import { figuresNow, networkSpeeds, type ServerRow, useFigure, useServerRow } from './figures.ts'
import { formatBytes, formatSpeeds } from './format.ts'
import { hoverTitle } from './hoverTitle.ts'
import { useWords, type Words } from './useWords.ts'

/** Speeds up and down in one unit, one under the other; the totals on hover. */
export function Traffic() {
  const record = useServerRow()
  const words = useWords()
  if (!record) return null
  return (
    <Frame {...hoverTitle(() => totals(record, words))}>
      <Speeds record={record} locale={words.locale} />
    </Frame>
  )
}

function Speeds({ record, locale }: { record: ServerRow; locale: string }) {
  const text = useFigure(record, (figures) => {
    const [up, down] = formatSpeeds(networkSpeeds(figures) ?? [], locale)
    return up && `${up} ↑\n${down} ↓`
  })
  return text ?? <span className="none">–</span>
}

function totals(record: ServerRow, { locale, translate }: Words): string {
  const { net_out_transfer = 0, net_in_transfer = 0 } = figuresNow(record).state
  const sent = `${translate('resources.server.values.upload')}: ${formatBytes(net_out_transfer, locale)}`
  return `${sent}\n${translate('resources.server.values.download')}: ${formatBytes(net_in_transfer, locale)}`
}

/** A sealed box, for the reason that `Meter` gives. Its widest text is '1.023,4 KiB/s ↑'. */
const Frame = styled('span')(({ theme }) => ({
  display: 'block',
  width: '8.2em',
  height: '2.6em',
  lineHeight: '1.3em',
  marginInlineStart: 'auto',
  contain: 'strict',
  contentVisibility: 'auto',
  textAlign: 'end',
  // Where rows are cards, every value begins at the same edge.
  'dd > &': { marginInlineStart: 0, textAlign: 'start' },
  whiteSpace: 'pre',
  fontVariantNumeric: 'tabular-nums',
  '& .none': { lineHeight: '2.6em', color: theme.vars.palette.text.secondary },
}))
