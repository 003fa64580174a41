import type { AlertRulePart } from '../../schemas/alerts/compileAlert.ts'
import { backtestPoints, type ServerPast } from './backtestPoints.ts'

self.onmessage = ({ data }: MessageEvent<{ rules: readonly AlertRulePart[]; servers: readonly ServerPast[] }>) =>
  self.postMessage(backtestPoints(data.rules, data.servers))
