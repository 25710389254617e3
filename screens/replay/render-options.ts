// Rendering options of the Replay screen besides the state and the size.

import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { Against } from "#src/state/replay/chosen-baseline.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface ReplayRenderOptions {
  readonly theme: Theme;
  /** Unit of amounts; the profile's. */
  readonly unit: AmountUnit;
  /** Local wall time in ms since the epoch. */
  readonly now: number;
  /** Data folder: sources in it are shown as saved payloads. */
  readonly data: string;
  /** Name of the profile in use. */
  readonly profile: string;
  /** What the replay of the open form will be compared with; null while none is open. */
  readonly against: Against | null;
}
