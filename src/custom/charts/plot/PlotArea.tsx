import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { createPlot, type Plot, type PlotData } from './plot.ts'

interface PlotAreaProps {
  plotData: PlotData
  /** Where figures are, in the order of time: the arrow keys go from one to the next. */
  moments: readonly number[]
  at: number | undefined
  onPoint: (at: number | undefined) => void
  /** A moment with its figures, read out when the keys have gone there. */
  describe: (at: number) => string
}

/**
 * The canvas, and an invisible slider over it: with that, keyboards and screen readers go through the figures as they
 * go through any slider.
 */
export function PlotArea({ plotData, moments, at, onPoint, describe }: PlotAreaProps) {
  const translate = useTranslate()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const point = useEvent(onPoint) as typeof onPoint

  useEffect(() => {
    const element = place.current as HTMLDivElement
    const made = createPlot(element, point)
    plot.current = made
    const observer = new ResizeObserver(() => made.fit(element.clientWidth, element.clientHeight))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [point])
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
    <Area>
      <div ref={place} />
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

/** The height is there before the plotData is. */
const Area = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 240,
  borderRadius: 4,
  '& > div': { position: 'absolute', inset: 0, overflow: 'hidden' },
  '& > input': { position: 'absolute', inset: 0, margin: 0, opacity: 0, pointerEvents: 'none' },
  '&:has(> input:focus-visible)': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
  '& .u-cursor-x': { borderColor: theme.vars.palette.text.secondary },
}))
