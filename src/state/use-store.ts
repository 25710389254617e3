// The one bridge between the stores and React: a component re-renders when what it selected changes.

export { useStore } from "zustand";
