// What may be seen now, for components.

import { createContext, use } from "react";
import { NO_AUDIENCE, type Audience } from "#src/display/audience.ts";

export const AudienceContext = createContext(NO_AUDIENCE);

export const useAudience = (): Audience => use(AudienceContext);

/** A state as it may be seen now, for view-models. */
export const useShown = <T>(state: T): T => useAudience().shown(state);
