import PauseIcon from '@mui/icons-material/Pause'
import PlayIcon from '@mui/icons-material/PlayArrow'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import MenuItem from '@mui/material/MenuItem'
import Slider from '@mui/material/Slider'
import Switch from '@mui/material/Switch'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { HttpError, useEvent, useTranslate } from 'react-admin'
import { refusalText } from '../../../api/refusalText.ts'
import { PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { useScreenAppearance, useScreenElement, useTerminalPreferences } from '../screen/useScreen.ts'
import { createXtermScreen } from '../screen/xtermScreen.ts'
import { type Cast, CastProblem, readCast, searchCast } from './cast.ts'
import { CastPlayback } from './castPlayback.ts'
import { Keyframes } from './keyframes.ts'

const speeds = [0.5, 1, 2, 4, 8, 16] as const
/** Milliseconds between two frames. */
const frameMs = 40

interface RecordingPlayerProps {
  id: string
  /** How often more of a growing one was asked for: each time it is read again. */
  version: number
  /** Where it begins, in seconds, and where it was when it was left. */
  position: { current: number }
}

/** Plays a recording: with speed, pause, jumps, a search in what was printed, and without idle time if wanted. */
export default function RecordingPlayer({ id, version, position }: RecordingPlayerProps) {
  const translate = useTranslate()
  const { data, error, refetch } = useQuery({
    queryKey: ['recordings', 'file', id, version],
    queryFn: async () => {
      const path = `/api/v1/wheelhouse/recordings/${encodeURIComponent(id)}/play`
      const response = await fetch(path, { credentials: 'same-origin' })
      const isRefused = response.headers.get('content-type')?.includes('json')
      if (isRefused) throw new HttpError((await refusalText(response)) ?? '', response.status)
      try {
        return readCast(new Uint8Array(await response.arrayBuffer()))
      } catch (cause) {
        if (!(cause instanceof CastProblem)) throw cause
        throw new Error(translate('app.terminal.recordings.damaged'), { cause })
      }
    },
    // Each reading is in the audit log.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return data ? <Player cast={data} position={position} /> : <PendingData data={data} error={error} onRetry={refetch} />
}

function Player({ cast, position }: Pick<RecordingPlayerProps, 'position'> & { cast: Cast }) {
  const translate = useTranslate()
  const text = (key: string) => translate(`app.terminal.recordings.${key}`)
  const [preferences] = useTerminalPreferences()
  const appearance = useScreenAppearance(preferences)
  const [screen] = useState(() => createXtermScreen(appearance, noEvents))
  const container = useScreenElement(screen)
  const [skipsIdle, setSkipsIdle] = useState(true)
  const [speed, setSpeed] = useState<number>(1)
  const [isPlaying, setPlaying] = useState(true)
  const [wanted, setWanted] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const [isJumping, setJumping] = useState(false)
  const shown = useMemo(() => (skipsIdle ? cast.withoutIdle() : cast), [cast, skipsIdle])
  const [playback] = useState(() => new CastPlayback(screen, shown, new Keyframes(cast)))
  const [at, setAt] = useState(0)

  useEffect(() => screen.setAppearance(appearance), [screen, appearance])
  useEffect(() => screen.setVisible(true), [screen])
  useEffect(() => {
    playback.replace(shown)
    setAt(playback.at)
  }, [playback, shown])

  const show = useEvent(async (time: number) => {
    const next = Math.min(shown.duration, Math.max(0, time))
    setAt(next)
    position.current = next
    if (next >= shown.duration) setPlaying(false)
    await playback.show(next)
  }) as (time: number) => Promise<void>
  const jump = async (time: number) => {
    setJumping(true)
    await show(time)
    await playback.settled()
    setJumping(playback.isDrawing)
  }
  useEffect(() => {
    if (position.current > 0) void show(position.current)
    return () => {
      playback.stop()
      screen.dispose()
    }
  }, [playback, screen, position, show])
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      // What takes a while to draw holds the clock up.
      if (!playback.isDrawing) void show(playback.at + ((now - before) / 1000) * speed)
      before = now
    }, frameMs)
    return () => clearInterval(timer)
  }, [isPlaying, speed, playback, show])

  const play = () => {
    if (!isPlaying && at >= shown.duration) void jump(0)
    setPlaying(!isPlaying)
  }
  const search = async (event: FormEvent) => {
    event.preventDefault()
    setSearching(true)
    const found = await searchCast(shown, wanted, at)
    setSearching(false)
    setMissing(found === undefined && wanted !== '')
    if (found === undefined) return
    setPlaying(false)
    await jump(found)
  }
  return (
    <Frame aria-label={text('title')}>
      <div
        className="terminal-place"
        ref={container}
        aria-busy={isJumping}
        style={{ height: 'max(240px, 100dvh - 380px)', overflow: 'auto' }}
      />
      <Controls>
        {isJumping ? <Waiting aria-label={translate('app.list.loading')} /> : null}
        <IconButton aria-label={text(isPlaying ? 'pause' : 'play')} onClick={play}>
          {isPlaying ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
        <Slider
          size="small"
          aria-label={text('position')}
          min={0}
          max={Math.max(shown.duration, 0.001)}
          step={0.1}
          value={at}
          getAriaValueText={clock}
          onChange={(_, value) => void jump(Number(value))}
          sx={{ flex: '1 1 160px', marginInline: 1 }}
        />
        <span>
          {clock(at)} / {clock(shown.duration)}
        </span>
        <TextField
          select
          size="small"
          label={text('speed')}
          value={speed}
          onChange={({ target }) => setSpeed(Number(target.value))}
          sx={{ width: 96 }}
        >
          {speeds.map((one) => (
            <MenuItem key={one} value={one}>
              {one}×
            </MenuItem>
          ))}
        </TextField>
        <FormControlLabel
          control={<Switch size="small" checked={skipsIdle} onChange={(_, checked) => setSkipsIdle(checked)} />}
          label={text('skip_idle')}
        />
        <form onSubmit={(event) => void search(event)}>
          <TextField
            size="small"
            label={translate('app.terminal.search.placeholder')}
            value={wanted}
            error={isMissing}
            helperText={isMissing ? text('not_found') : undefined}
            onChange={({ target }) => {
              setWanted(target.value)
              setMissing(false)
            }}
          />
          <Button type="submit" loading={isSearching}>
            {translate('app.terminal.search.next')}
          </Button>
        </form>
      </Controls>
    </Frame>
  )
}

/** Seconds as `1:02:03` or `2:03`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const nothing = () => {}
const noEvents = {
  onBinary: nothing,
  onResize: nothing,
  onTitle: nothing,
  onClipboard: nothing,
  onBell: nothing,
  onCommandMark: nothing,
  onFolder: nothing,
  onLink: nothing,
  onSelection: nothing,
  onShortcut: nothing,
}

const Frame = styled('section')(({ theme }) => ({
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  overflow: 'hidden',
  marginBottom: theme.spacing(2),
}))

/** Only where a jump takes a while: until all of a long recording was gone through. */
const Waiting = styled(LinearProgress)({
  position: 'absolute',
  insetInline: 0,
  top: -4,
  animation: 'recording-wait 0s 300ms backwards',
  '@keyframes recording-wait': { from: { visibility: 'hidden' } },
})

const Controls = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  padding: theme.spacing(1),
  background: theme.vars.palette.sunken,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  fontVariantNumeric: 'tabular-nums',
  '& form': { display: 'flex', alignItems: 'center', gap: theme.spacing(1) },
}))
