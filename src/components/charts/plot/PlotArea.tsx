import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { createPlot, type Plot, type PlotData, type PlotEvents } from './plot.ts'

interface PlotAreaProps extends PlotEvents {
  plotData: PlotData
  /** The times with data, in order: the arrow keys go from one to the next. */
  moments: readonly number[]
  at: number | undefined
  /** Whether it is the only chart on screen. */
  isLarge: boolean
  /** The values at a time, read out by screen readers as the keys reach it. */
  describe: (at: number) => string
}

/**
 * The canvas, and an invisible slider over it, with which keyboards and screen readers move through the data.
 */
export function PlotArea({ plotData, moments, at, isLarge, onPoint, onZoom, describe }: PlotAreaProps) {
  const translate = useTranslate()
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const point = useEvent(onPoint)
  const zoom = useEvent(onZoom)

  useEffect(() => {
    const element = container.current as HTMLDivElement
    const created = createPlot(element, { onPoint: point, onZoom: zoom })
    plot.current = created
    const fit = () => created.fit(element.clientWidth, element.clientHeight)
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    // Paper has another width, of which no observer hears before it is printed. jsdom has no media.
    const printing = window.matchMedia?.('print')
    printing?.addEventListener('change', fit)
    return () => {
      observer.disconnect()
      printing?.removeEventListener('change', fit)
      created.destroy()
    }
  }, [point, zoom])
  useEffect(() => plot.current?.show(plotData), [plotData])
  useEffect(() => plot.current?.point(at), [at])

  const last = moments.length - 1
  const index =
    at === undefined
      ? last
      : Math.max(
          0,
          moments.findLastIndex((moment) => moment <= at),
        )
  const moment = moments[index]
  return (
    <Area data-large={isLarge}>
      <div ref={container} />
      <input
        type="range"
        min={0}
        max={Math.max(0, last)}
        value={Math.max(0, index)}
        aria-label={translate('app.charts.moment')}
        aria-valuetext={moment === undefined ? '' : describe(moment)}
        onChange={(event) => onPoint(moments[Number(event.target.value)])}
        onBlur={() => onPoint(undefined)}
      />
    </Area>
  )
}

/** The height is fixed before the plot is drawn. */
const Area = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 180,
  '&[data-large=true]': { height: 'clamp(180px, 44vh, 640px)' },
  '@media print': { '&:not([data-large=true])': { height: 140 } },
  borderRadius: 4,
  '& > div': { position: 'absolute', inset: 0, overflow: 'hidden' },
  '& > input': { position: 'absolute', inset: 0, margin: 0, opacity: 0, pointerEvents: 'none' },
  '&:has(> input:focus-visible)': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
  '& .u-select': { background: theme.vars.palette.primary.main, opacity: 0.16 },
  '& .u-cursor-x': { borderColor: theme.vars.palette.text.secondary },
}))
