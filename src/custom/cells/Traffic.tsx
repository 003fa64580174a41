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
      <Speeds record={record} words={words} />
    </Frame>
  )
}

function Speeds({ record, words: { locale, translate } }: { record: ServerRow; words: Words }) {
  const text = useFigure(record, (figures) => {
    const speeds = networkSpeeds(figures)
    return speeds && formatSpeeds(speeds, locale).join('\n')
  })
  if (!text) return <span className="none">–</span>
  const [up, down] = text.split('\n')
  return (
    <>
      <span>
        {up} <i role="img" aria-label={translate('resources.server.values.upload')} className="up" />
      </span>
      <span>
        {down} <i role="img" aria-label={translate('resources.server.values.download')} className="down" />
      </span>
    </>
  )
}

function totals(record: ServerRow, { locale, translate }: Words): string {
  const { net_out_transfer = 0, net_in_transfer = 0 } = figuresNow(record).state
  const sent = `${translate('resources.server.values.upload')}: ${formatBytes(net_out_transfer, locale)}`
  return `${sent}\n${translate('resources.server.values.download')}: ${formatBytes(net_in_transfer, locale)}`
}

const Frame = styled('span')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-end',
    lineHeight: 1.3,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    '& i': { fontStyle: 'normal', color: palette.text.secondary },
    '& .up::before': { content: '"↑"' },
    '& .down::before': { content: '"↓"' },
    '& .none': { color: palette.text.secondary },
  }
})
