// What the server sends, by the names this app calls it. The page knows decision shapes, not rules.
// The shapes themselves are in api-types.ts, which tools/make_api_types.py writes from the server's messages.

export type {
  Answer,
  ArcView,
  CardOdds,
  ChatLine,
  Created as Begun,
  Decision,
  Forbidden as Refused,
  Frame,
  Item,
  Level,
  LogLine,
  Luck,
  MeasuredView,
  ObjectiveView as Objective,
  OddsFacts,
  Option,
  OptionsOdds,
  Outgoing,
  PartView,
  Personality,
  PoolView,
  PreviewFacts as Preview,
  RouteView,
  Ruleset,
  Scenario,
  SeatView as Seat,
  SeenModel,
  SideLuck,
  SightLine,
  Sights,
  Snapshot,
  Spot,
  SquaresView,
  Starter,
  Story,
  TemplateView,
  UnitView,
  View,
  Wall,
  WeaponView,
  Why
} from './api-types'

/** A square by its name, or millimetres on a measured table. */
export type Point = string | number[]
