import type { AlertRulePart } from '../../../domain/alerts/compileAlert.ts'
import { backtestPoints, type ServerHistory } from './backtestPoints.ts'

self.onmessage = ({ data }: MessageEvent<{ rules: readonly AlertRulePart[]; servers: readonly ServerHistory[] }>) =>
  self.postMessage(backtestPoints(data.rules, data.servers))
