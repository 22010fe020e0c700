import { useEffect, useReducer } from "react";
import { createRoot } from "react-dom/client";
import type { SettingsPageEvent, SettingsPageMessage } from "../../src/protocol/settingsPage.ts";
import { connectHost } from "../shared/host.ts";
import { initialState, reduce } from "./pageState.ts";
import { SettingsPage } from "./SettingsPage.tsx";
import "../shared/base.css";
import "./settings.css";

let receive: (event: SettingsPageEvent) => void = () => {};
const host = connectHost<SettingsPageMessage, SettingsPageEvent>((event) => receive(event));

function App() {
  const [state, dispatch] = useReducer(reduce, host.loadViewState(), initialState);
  useEffect(() => {
    receive = dispatch;
    host.post({ type: "ready" });
  }, []);
  const { tab, filter } = state;
  useEffect(() => host.saveViewState({ tab, filter }), [tab, filter]);
  return <SettingsPage state={state} dispatch={dispatch} host={host} />;
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");
createRoot(root).render(<App />);
