import Add from '@mui/icons-material/Add'
import Remove from '@mui/icons-material/Remove'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formatNumber, formatPercent } from '../../../../components/format/format.ts'
import { useLanguage } from '../../../../components/format/useLanguage.ts'
import { type DrawnPage, type OpenedPdf, openPdf, type PdfLink, type PdfProblem } from './openPdf.ts'

/** One is the whole width. */
const zooms = [0.5, 0.75, 1, 1.5, 2, 3, 4]

/** A PDF, one page at a time: only the page on screen is drawn, and only it takes memory. */
export default function PdfViewer({ bytes, name }: { bytes: Uint8Array; name: string }) {
  const { translate, locale } = useLanguage()
  const [pdf, setPdf] = useState<OpenedPdf>()
  const [problem, setProblem] = useState<PdfProblem | 'unreachable'>()
  const [number, setNumber] = useState(1)
  const [typed, setTyped] = useState('1')
  const [zoom, setZoom] = useState(1)
  useEffect(() => {
    let isOpen = true
    const { opened, close } = openPdf(bytes.slice())
    opened.then(
      (found) => isOpen && (typeof found === 'string' ? setProblem(found) : setPdf(found)),
      (error: unknown) => {
        console.error(error)
        if (isOpen) setProblem('unreachable')
      },
    )
    return () => {
      isOpen = false
      close()
    }
  }, [bytes])
  const go = (to: number) => {
    const page = Math.min(Math.max(1, to), pdf?.pages ?? 1)
    setNumber(page)
    setTyped(String(page))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    go(Math.trunc(Number(typed)) || number)
  }
  if (problem) {
    return (
      <Alert severity={problem === 'encrypted' ? 'info' : 'error'}>
        {translate(problem === 'unreachable' ? 'app.part.failed' : `app.files.pdf.${problem}`)}
      </Alert>
    )
  }
  if (!pdf) return <CircularProgress aria-label={translate('app.list.loading')} />
  const zoomBy = (step: number) => setZoom(zooms[zooms.indexOf(zoom) + step] ?? zoom)
  return (
    <>
      <Bar onSubmit={submit}>
        <Button type="button" disabled={number <= 1} onClick={() => go(number - 1)}>
          {translate('app.list.previous_page')}
        </Button>
        <Button type="button" disabled={number >= pdf.pages} onClick={() => go(number + 1)}>
          {translate('app.list.next_page')}
        </Button>
        <span className="group">
          <OutlinedInput
            size="small"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={submit}
            slotProps={{
              input: {
                inputMode: 'numeric',
                'aria-label': translate('app.list.page', { page: formatNumber(number, locale) }),
              },
            }}
            sx={{ width: 72, '& input': { paddingBlock: '5px', textAlign: 'right' } }}
          />
          / {formatNumber(pdf.pages, locale)}
        </span>
        <span className="group end">
          <Zoom label={translate('app.charts.zoom.out')} isEnd={zoom === zooms[0]} onClick={() => zoomBy(-1)}>
            <Remove fontSize="small" />
          </Zoom>
          {formatPercent(zoom * 100, locale)}
          <Zoom label={translate('app.charts.zoom.in')} isEnd={zoom === zooms.at(-1)} onClick={() => zoomBy(1)}>
            <Add fontSize="small" />
          </Zoom>
        </span>
      </Bar>
      <PdfPage pdf={pdf} number={number} zoom={zoom} name={name} onGo={go} />
    </>
  )
}

interface ZoomProps {
  label: string
  isEnd: boolean
  onClick: () => void
  children: React.ReactNode
}

const Zoom = ({ label, isEnd, onClick, children }: ZoomProps) => (
  <IconButton type="button" size="small" aria-label={label} title={label} disabled={isEnd} onClick={onClick}>
    {children}
  </IconButton>
)

interface PdfPageProps {
  pdf: OpenedPdf
  number: number
  zoom: number
  name: string
  onGo: (page: number) => void
}

function PdfPage({ pdf, number, zoom, name, onGo }: PdfPageProps) {
  const { translate } = useLanguage()
  const frame = useRef<HTMLElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const width = useWidthOf(frame)
  const [drawn, setDrawn] = useState<DrawnPage & { number: number }>()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!width) return
    const drawing = new AbortController()
    pdf.draw(number, { width, zoom }, drawing.signal).then(
      (page) => {
        // One that was given up may have been complete.
        if (drawing.signal.aborted) return
        setBroken(false)
        setDrawn({ ...page, number })
      },
      (error: unknown) => {
        if (drawing.signal.aborted) return
        console.info('A page of a PDF cannot be drawn.', error)
        setBroken(true)
      },
    )
    return () => drawing.abort()
  }, [pdf, number, zoom, width])
  useEffect(() => {
    if (!drawn) return
    sheet.current?.style.setProperty('--total-scale-factor', String(drawn.scale))
    sheet.current?.replaceChildren(drawn.canvas, drawn.text)
  }, [drawn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is read from its beginning
  useEffect(() => {
    frame.current?.scrollTo(0, 0)
  }, [drawn?.number])
  return (
    <Frame ref={frame} tabIndex={0} aria-label={name} aria-busy={drawn?.number !== number && !isBroken}>
      {isBroken ? <Alert severity="error">{translate('app.files.pdf.broken')}</Alert> : null}
      {drawn && !isBroken ? (
        <div className="page" style={{ width: drawn.width, height: drawn.height }}>
          <div ref={sheet} />
          {drawn.links.map((link) => (
            <LinkArea key={link.id} link={link} onGo={onGo} />
          ))}
        </div>
      ) : null}
    </Frame>
  )
}

/** A link where the document has it: the words are on the canvas. */
function LinkArea({ link, onGo }: { link: PdfLink; onGo: (page: number) => void }) {
  const { translate, locale } = useLanguage()
  const { to, left, top, width, height } = link
  const style = { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
  if ('url' in to) {
    return (
      <a style={style} href={to.url} target="_blank" rel="noopener noreferrer" title={to.url}>
        <span>{to.url}</span>
      </a>
    )
  }
  const label = translate('app.list.page', { page: formatNumber(to.page, locale) })
  return <button type="button" style={style} title={label} aria-label={label} onClick={() => onGo(to.page)} />
}

/** Pixels inside an element, without its scroll bar; `undefined` until it is there. */
function useWidthOf(element: React.RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}

const Bar = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.5, 1),
  marginBottom: theme.spacing(1),
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& .group': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.5) },
  '& .end': { marginInlineStart: 'auto' },
}))

/** The text lies over the picture of the page, line by line, without a colour: what pdf.js expects of its styles. */
const Frame = styled('section')(({ theme }) => ({
  height: 'min(66vh, 760px)',
  overflowX: 'auto',
  overflowY: 'scroll',
  background: theme.vars.palette.background.default,
  border: `1px solid ${theme.vars.palette.divider}`,
  // A link may be larger than its page.
  '& .page': {
    position: 'relative',
    overflow: 'clip',
    margin: '0 auto',
    background: '#fff',
    colorScheme: 'only light',
  },
  '& canvas': { display: 'block', width: '100%', height: '100%' },
  '& .page > div': { position: 'absolute', inset: 0 },
  '& .page > div > div': {
    position: 'absolute',
    inset: 0,
    overflow: 'clip',
    lineHeight: 1,
    textAlign: 'initial',
    '--text-scale-factor': 'calc(var(--total-scale-factor) * var(--min-font-size))',
    '--min-font-size-inv': 'calc(1 / var(--min-font-size))',
  },
  '& .page > div > div :is(span, br)': {
    position: 'absolute',
    color: 'transparent',
    whiteSpace: 'pre',
    cursor: 'text',
    transformOrigin: '0 0',
  },
  '& .page > div > div > :not(.markedContent), & .page > div > div .markedContent span:not(.markedContent)': {
    fontSize: 'calc(var(--text-scale-factor) * var(--font-height, 0))',
    transform: 'rotate(var(--rotate, 0deg)) scaleX(var(--scale-x, 1)) scale(var(--min-font-size-inv))',
  },
  '& .markedContent': { display: 'contents' },
  '& ::selection': { color: 'transparent', background: 'color-mix(in srgb, AccentColor, transparent 50%)' },
  '& a, & button': { position: 'absolute', padding: 0, border: 0, background: 'none', cursor: 'pointer' },
  '& a:hover, & button:hover': { background: 'rgb(255 255 0 / 0.2)' },
  '& a > span': { position: 'absolute', inset: 0, overflow: 'hidden', color: 'transparent' },
}))
